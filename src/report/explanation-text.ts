import type { Explanation } from '../model/explanation.ts';
import { printableData } from './escape.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { THIN_NOTE } from './step-columns.ts';
import { createPaint, labelled } from './text-layout.ts';

/** What `shipload explain` prints. */
export function renderExplanation(explanation: Explanation, style: TextStyle = PLAIN_TEXT): string {
  const shown = printableData(explanation);
  const paint = createPaint(style.color);
  const facts = [
    ...(shown.reason === undefined ? [] : [{ label: 'why', value: shown.reason }]),
    { label: 'what it is', value: shown.meaning },
    ...(shown.formula === undefined ? [] : [{ label: 'formula', value: shown.formula }]),
    ...shown.inputs.map(({ field, value }, i) => ({
      label: i === 0 ? 'inputs' : '',
      value: `${field} = ${valueText(field, value)}`,
    })),
    ...(shown.windowSeconds === undefined
      ? []
      : [{ label: 'window T', value: `${q.windowFigure(shown.windowSeconds)} s` }]),
    ...(shown.sampleCount === undefined
      ? []
      : [{ label: 'samples', value: q.countFigure(shown.sampleCount) }]),
    { label: 'source', value: shown.source },
  ];
  const mark = shown.isDoubtful ? THIN_NOTE : '';
  const title = `${shown.field} = ${valueText(shown.field, shown.value)}${mark}`;
  return `${[paint.strong(title), ...labelled(facts, style.width)].join('\n')}\n`;
}

/** The value in the unit that its name ends with; an exact figure beside a rounded one. */
function valueText(field: string, value: Explanation['value']): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return value.map((end) => q.figure(end)).join(' to ');
  const exact = String(Number(value.toPrecision(9)));
  if (field.endsWith('PerSecond')) return `${q.rate(value)} (${exact})`;
  if (/Seconds(\.[^.]+)?$/.test(field)) return `${q.duration(value)} (${exact} s)`;
  if (field.endsWith('Bytes')) return `${q.bytes(value)} (${exact})`;
  return exact;
}
