import type { MachineCheckDocument } from '../model/machine-check.ts';
import { printableData } from './escape.ts';
import * as q from './quantities.ts';
import { PLAIN_TEXT, type TextStyle } from './reporter.ts';
import { createPaint, hanging, labelled, section } from './text-layout.ts';

const GRADE_WORDS = {
  good: 'this machine can make honest loads',
  weak: 'this machine can make loads; read the remarks before relying on small differences',
  poor: 'loads made on this machine would mostly measure the machine',
} as const;

/** What `shipload doctor` prints: each part, what it can carry, and the lines to change. */
export function renderMachineCheck(document: MachineCheckDocument, style: TextStyle = PLAIN_TEXT): string {
  const { checks, grade, honestRatePerSecond, connectionLimit } = printableData(document);
  const paint = createPaint(style.color);
  const facts = checks.map(({ id, result, seen }) => ({
    label: id,
    value: result === 'good' ? seen : `${result.toUpperCase()}: ${seen}`,
  }));
  const remarks = checks.flatMap(({ id, advice, line }) => [
    ...(advice === undefined ? [] : hanging('  ', `${id}: ${advice}`, style.width)),
    ...(line === undefined ? [] : [`    $ ${line}`]),
  ]);
  const lines = [
    paint.strong(`${grade.toUpperCase()}: ${GRADE_WORDS[grade]}`),
    ...labelled(facts, style.width),
    '',
    ...hanging(
      '',
      `One generator stays under 80 % of its core up to about ${q.rate(honestRatePerSecond)}, with at most ` +
        `${q.count(connectionLimit)} connections.`,
      style.width,
    ),
    ...section('What to change', remarks, paint),
  ];
  return `${lines.join('\n')}\n`;
}
