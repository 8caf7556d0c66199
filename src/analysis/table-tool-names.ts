/** Words for a response time that stand before or behind a statistic of it, and say nothing more. */
const TIMES = '(?:http_req_duration|response[\\s_]*times?|request[\\s_]*times?|latency)';
const STATISTIC = '(?:avg|average|mean|med|median|min|max|maximum|p\\(?\\d|\\d\\d(?:\\.0+)?(?:th|%|\\s))';
const UNIT = '(?:[\\s_]*\\(?(?:ms|us|µs|s|sec|seconds|milliseconds)\\)?)?';

/** What a tool calls a column → the usual name. In order; each takes what the one before made of it. */
const USUAL_NAMES: readonly (readonly [pattern: RegExp, usual: string])[] = [
  // ab: `Requests per second [#/sec] (mean)`, `Time per request [ms] (mean)`.
  [/\[(ms|us|µs|s|#\/sec)\]/g, '($1)'],
  [/\s*\((?:mean|#\/sec)\)/gi, ''],
  [/^#\s*/, ''],
  [/^time[\s_]*per[\s_]*request/i, 'mean'],
  [/^longest[\s_]*request/i, 'max'],
  // k6: `http_reqs`, `http_req_failed`, `http_req_duration p(95)`, `med`.
  [/^http_reqs[\s_.]*(?:rate|\/s|per[\s_]*s(?:ec|econd)?)$/i, 'requests/s'],
  [/^http_reqs(?:[\s_.]*count)?$/i, 'requests'],
  [/^http_req_failed(?:[\s_.]*rate)?/i, 'errorRatio'],
  [/^http_req_duration$/i, 'mean'],
  [new RegExp(`^${TIMES}[\\s_.:]*(?=${STATISTIC})`, 'i'), ''],
  [new RegExp(`^(${STATISTIC}\\S*)[\\s_]+${TIMES}(?=${UNIT}$)`, 'i'), '$1'],
  [/p\((\d\d)\)/gi, 'p$1'],
  // Locust: `95%`; JMeter: `95% Line`; prose: `95th percentile`.
  [
    new RegExp(
      `^(50|95|99)(?:\\.0+)?(?:th)?\\s*(?:%|percentile|pct)(?:ile)?(?:[\\s_]*(?:line|${TIMES}))?(${UNIT})$`,
      'i',
    ),
    'p$1$2',
  ],
  [/^100%$/, 'max'],
  [new RegExp(`^(?:median|med)(${UNIT})$`, 'i'), 'p50$1'],
];

/** A column's name in the words of this project, where ab, k6, Locust or JMeter have words of their own for it. */
export const usualName = (name: string): string =>
  USUAL_NAMES.reduce((text, [pattern, usual]) => text.replace(pattern, usual), name.trim());
