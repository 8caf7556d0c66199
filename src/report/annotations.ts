import type { ComparedMetric, Comparison, RunRecord } from '../model/record.ts';
import { metricWords } from '../stats/metric-words.ts';
import { printable, printableData } from './escape.ts';
import { checkLine } from './facts.ts';
import { toReportDocument } from './json.ts';
import * as q from './quantities.ts';
import { DECISION_WORDS, RESULT_WORDS } from './words.ts';

/**
 * Workflow commands of GitHub Actions, one for each target that does not pass: an error where it fails, a warning where
 * it has no margin or cannot be told. A run without a verdict is one error.
 */
export function runAnnotations(record: RunRecord): readonly string[] {
  const { verdict, label } = printableData(toReportDocument(record));
  if (verdict.decision === 'invalid')
    return [command('error', `Load test ${label}: ${DECISION_WORDS.invalid.word}`, verdict.reason)];
  return verdict.checks
    .filter(({ result }) => result !== 'pass')
    .map((check) => {
      const { target, result, reason } = checkLine(check);
      const level = result === 'fail' ? 'error' : 'warning';
      return command(level, `Load test ${label}: ${RESULT_WORDS[result].word}`, `${target}: ${reason}`);
    });
}

/** One for each metric that has changed: an error where it is worse, a notice where it is better. */
export function comparisonAnnotations({ metrics, notices, after }: Comparison): readonly string[] {
  const isWorse = ({ better, before, after }: ComparedMetric): boolean =>
    better === 'lower' ? after > before : after < before;
  const changed = metrics
    .filter(({ verdict }) => verdict === 'changed')
    .map((metric) => {
      const { name, before, after, unit, ratio } = metric;
      const difference = ratio === undefined ? '' : ` (${q.signedPercent(ratio - 1)})`;
      const text = `${metricWords(name)}: ${q.quantity(before, unit)} before, ${q.quantity(after, unit)} after${difference}`;
      return isWorse(metric)
        ? command('error', 'Load test: regression', text)
        : command('notice', 'Load test: improvement', text);
    });
  const lost = notices.filter(({ code }) => code === 'check-lost');
  return [...changed, ...lost.map(({ message }) => command('error', `Load test ${after.label}`, message))];
}

/** A command is one line; its title ends at a comma or colon. */
function command(level: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const data = escapeData(printable(message));
  return `::${level} title=${escapeData(printable(title)).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data}`;
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
