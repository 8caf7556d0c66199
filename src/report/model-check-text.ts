import type { CheckedQuantity, ModelCheck } from '../model/model-check.ts';
import { printableData } from './escape.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { createPaint, hanging, section, table } from './text-layout.ts';

/** What `shipload model --verify` prints: the log beside what a run of its model sends. */
export function renderModelCheck(modelCheck: ModelCheck, style: TextStyle = PLAIN_TEXT): string {
  const check = printableData(modelCheck);
  const paint = createPaint(style.color);
  const { width } = style;
  const { quantities } = check;
  const columns = [
    { heading: 'log', cells: quantities.map((one) => valueText(one, one.log)) },
    { heading: 'sent', cells: quantities.map((one) => valueText(one, one.sent)) },
    { heading: 'within', cells: quantities.map((one) => valueText(one, one.tolerance)) },
    { heading: '', cells: quantities.map(judgement), align: 'left' as const },
    { heading: 'quantity', cells: quantities.map(({ name }) => name), align: 'left' as const },
  ];
  const by = check.users === undefined ? 'open arrivals' : q.counted(check.users, 'user');
  const lead = `${q.counted(check.requestCount, 'request')} of ${by} in ${q.givenDuration(check.seconds)} of virtual time; "within" is three standard errors.`;
  const verdict = check.holds
    ? 'The model sends what the log has.'
    : 'The model does not send what the log has.';
  const lines = [
    ...hanging('  ', lead, width),
    ...hanging('  ', leftOutText(check), width),
    ...table(columns, width - 2, paint).map((line) => `  ${line}`),
    ...hanging('  ', verdict, width),
  ];
  return `${section('Verification', lines, paint).join('\n')}\n`;
}

/** Enough to see of what kind they are. */
const MOST_NAMED = 5;

function leftOutText({ leftOut }: ModelCheck): string {
  if (leftOut === undefined) return '';
  const { classIds, shareRatio } = leftOut;
  const more = classIds.length - MOST_NAMED;
  const names = `${classIds.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `Left out, as a run leaves them: ${names} (${(100 * shareRatio).toFixed(2)}% of the log's requests). The shares below are of the rest.`;
}

const valueText = ({ unit }: CheckedQuantity, value: number | undefined): string => {
  if (value === undefined) return q.MISSING;
  // Means of counts and indices are no whole numbers.
  if (unit === 'index' || unit === 'count') return value.toFixed(2);
  return unit === 'ratio' ? `${(100 * value).toFixed(2)}%` : q.quantity(value, unit);
};

const judgement = ({ holds, whyNot }: CheckedQuantity): string => {
  if (holds === undefined) return `not judged: ${whyNot ?? 'only shown'}`;
  return holds ? 'holds' : 'DIFFERS';
};
