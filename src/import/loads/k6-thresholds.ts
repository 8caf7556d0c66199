import { isRecord } from '../../stats/is-record.ts';

/** `p(95)<500`, `rate<0.01`. */
const EXPRESSION =
  /^\s*(?:p\(\s*(\d+(?:\.\d+)?)\s*\)|(avg|med|min|max|rate|count|value))\s*(<=?|>=?|={2,3}|!=)\s*(\d+(?:\.\d+)?)\s*$/;
const METRIC = /^(\w+)(?:\{(.*)\})?$/s;

/**
 * k6's thresholds as targets: times of `http_req_duration`, the share of `http_req_failed`, the rate of `http_reqs`; a
 * `name` or `url` tag is the route, one of `routes`. What has no counterpart goes to `notes`.
 */
export function targetsOf(
  thresholds: unknown,
  routes: ReadonlySet<string>,
  notes: string[],
): readonly string[] {
  if (!isRecord(thresholds)) return [];
  return Object.entries(thresholds).flatMap(([metric, given]) =>
    (Array.isArray(given) ? (given as unknown[]) : [given]).flatMap((one): string[] => {
      const isLong = isRecord(one);
      const text = isLong ? one['threshold'] : one;
      const target = typeof text === 'string' ? targetOf(metric, text, routes) : undefined;
      const shown = `threshold ${metric}: ${typeof text === 'string' ? text : JSON.stringify(text)}`;
      if (target === undefined) notes.push(`${shown} has no counterpart and is left out.`);
      else if (isLong && one['abortOnFail'] === true)
        notes.push(
          `${shown} ends the test in k6 (abortOnFail); here it is judged at the end. --stop-on-errors ends a run.`,
        );
      return target === undefined ? [] : [target];
    }),
  );
}

function targetOf(metric: string, text: string, routes: ReadonlySet<string>): string | undefined {
  const [, name, tags] = METRIC.exec(metric) ?? [];
  const [, percentile, aggregate, sign = '', number = ''] = EXPRESSION.exec(text) ?? [];
  const route = routeOf(tags);
  if (route !== undefined && route !== '' && !routes.has(route)) return undefined;
  if (name === undefined || number === '' || route === undefined || sign === '!=') return undefined;
  const of = route === '' ? '' : ` of ${route}`;
  const compared = `${of}${sign.startsWith('<') ? ' <=' : sign.startsWith('>') ? ' >=' : ' ='}`;
  if (name === 'http_req_duration') {
    const words: Readonly<Record<string, string>> = { avg: 'mean', med: 'p50', max: 'max' };
    const word = percentile === undefined ? words[aggregate ?? ''] : percentileWord(Number(percentile));
    return word === undefined ? undefined : `${word}${compared} ${number} ms`;
  }
  if (name === 'http_req_failed' && aggregate === 'rate' && Number(number) <= 1)
    return `error rate${compared} ${Number((Number(number) * 100).toPrecision(12))} %`;
  if (name === 'http_reqs' && aggregate === 'rate') return `throughput${compared} ${number} /s`;
  return undefined;
}

const percentileWord = (percentile: number): string | undefined => {
  if (percentile === 100) return 'max';
  return percentile > 0 && percentile < 100 ? `p${percentile}` : undefined;
};

/** The route; '' for all; undefined for tags that name no route. */
function routeOf(tags: string | undefined): string | undefined {
  if (tags === undefined || /^\s*(?:expected_response\s*:\s*true)?\s*$/.test(tags)) return '';
  const named = /^\s*(name|url)\s*:\s*(\S+)\s*$/.exec(tags);
  if (named === null) return undefined;
  const [, kind, value = ''] = named;
  const path = kind === 'url' && URL.canParse(value) ? new URL(value).pathname : value;
  return /[<>=≤≥]/.test(path) ? undefined : routeWord(path);
}

/** The name of a request as a route is written: no blanks. */
export function routeWord(name: string): string {
  const path = URL.canParse(name) && /^https?:/i.test(name) ? new URL(name).pathname : name;
  return path
    .trim()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[<>=≤≥]/g, '');
}
