import type { Isolation } from '../model/analysis.ts';
import { printableData } from './escape.ts';
import { isolationColumns } from './isolation-columns.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { bars } from './text-charts.ts';
import { createPaint, hanging, section, table } from './text-layout.ts';
import { noticeLines } from './text.ts';

/** What `shipload isolate` prints: each route alone, its demand, and its share of the work of the mix. */
export function renderIsolation(isolation: Isolation, style: TextStyle = PLAIN_TEXT): string {
  const { routes, ...rest } = printableData(isolation);
  const paint = createPaint(style.color);
  const work = routes.map((one) => ({
    label: one.route,
    ratio: one.shareOfWorkRatio,
    figure: q.percent(one.shareOfWorkRatio),
  }));
  const lines = [
    paint.strong('Each route alone'),
    ...table(isolationColumns(routes), style.width, paint),
    ...section('Share of the work of the mix', bars(work, style.width), paint),
    '',
    ...hanging('', mixText(rest), style.width),
    ...section('What is doubtful', noticeLines(rest.notices, style.width, paint), paint),
  ];
  return `${lines.join('\n')}\n`;
}

function mixText({ demandRatio, mixDemandSeconds, serverCount }: Omit<Isolation, 'routes'>): string {
  const limit = mixDemandSeconds > 0 ? serverCount / mixDemandSeconds : undefined;
  return `The largest demand is ${q.figure(demandRatio)} times the smallest; a request of the mix costs ${q.duration(mixDemandSeconds)}, so ${q.counted(serverCount, 'core')} can carry at most ${q.rate(limit)} (m/D).`;
}
