import type { PredictedStep, Prediction } from '../model/prediction.ts';
import { printableData } from './escape.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { createPaint, hanging, labelled, section, table } from './text-layout.ts';
import type { TextColumn } from './text-layout.ts';
import { noticeLines } from './text.ts';

/** What `shipload predict` prints: the curve that the demands lead to, and how far it was from what was measured. */
export function renderPrediction(prediction: Prediction, style: TextStyle = PLAIN_TEXT): string {
  const shown = printableData(prediction);
  const paint = createPaint(style.color);
  const heading =
    shown.whatIf.length === 0 ? 'Predicted curve' : `Predicted curve with ${shown.whatIf.join(', ')}`;
  const lines = [
    paint.strong(heading),
    ...table(columnsOf(shown), style.width, paint),
    ...section('What it rests on', labelled(factsOf(shown), style.width), paint),
    ...section(
      'Against the run',
      shown.error === undefined ? [] : hanging('', errorText(shown.error, shown.whatIf), style.width),
      paint,
    ),
    ...section('What is doubtful', noticeLines(shown.notices, style.width, paint), paint),
  ];
  return `${lines.join('\n')}\n`;
}

function columnsOf({ steps, thinkTimeSeconds }: Prediction): TextColumn[] {
  const column = (heading: string, cell: (step: PredictedStep) => string): TextColumn => ({
    heading,
    cells: steps.map(cell),
  });
  const has = (read: (step: PredictedStep) => unknown): boolean =>
    steps.some((step) => read(step) !== undefined);
  const routes = Object.keys(steps[0]?.byRoute ?? {});
  return [
    column(thinkTimeSeconds > 0 ? 'users' : 'workers', ({ users }) => q.load(users)),
    column('X/s', (step) => q.rateFigure(step.throughputPerSecond)),
    column('R', (step) => q.duration(step.responseTimeSeconds)),
    ...Object.keys(steps[0]?.utilizationRatio ?? {}).map((name) =>
      column(`U ${name}`, (step) => q.utilization(step.utilizationRatio[name])),
    ),
    ...(routes.length > 1
      ? routes.map((route) => column(`mean ${route}`, (step) => q.duration(step.byRoute[route])))
      : []),
    ...Object.keys(steps[0]?.p95ByRoute ?? {}).map((route) =>
      column(`p95 ${route}`, (step) => q.duration(step.p95ByRoute?.[route])),
    ),
    ...(has((step) => step.measured)
      ? [
          column('measured X/s', ({ measured }) => q.rateFigure(measured?.throughputPerSecond)),
          column('error', (step) => q.signedPercent(step.throughputErrorRatio)),
        ]
      : []),
    ...(has((step) => step.responseTimeErrorRatio)
      ? [
          column('measured R', ({ measured }) => q.duration(measured?.responseTimeSeconds)),
          column('error', (step) => q.signedPercent(step.responseTimeErrorRatio)),
        ]
      : []),
  ];
}

function factsOf(prediction: Prediction): { readonly label: string; readonly value: string }[] {
  const { serviceDemandSeconds, serverCount, thinkTimeSeconds, bottleneck } = prediction;
  const demands = Object.entries(serviceDemandSeconds).map(([name, seconds]) => {
    const servers = serverCount[name];
    return `${name} ${q.duration(seconds)}${servers === undefined ? '' : ` (m = ${q.givenFigure(servers)})`}`;
  });
  return [
    { label: 'demands D of the mix', value: `${demands.join(', ')}; from ${prediction.basis}` },
    { label: 'think time Z', value: q.duration(thinkTimeSeconds) },
    {
      label: 'first to fill',
      value: `${bottleneck}, at ${q.rate(prediction.throughputLimitPerSecond)} (m/D)`,
    },
    { label: 'saturation N*', value: `${q.figure(prediction.saturationUsers)} users, (D + Z)·m/D` },
    { label: 'method', value: prediction.method },
  ];
}

function errorText(
  { stepCount, throughputRatio, responseTimeRatio }: NonNullable<Prediction['error']>,
  whatIf: Prediction['whatIf'],
): string {
  const response =
    responseTimeRatio === undefined ? '' : `, R by ${q.percent(responseTimeRatio)} below saturation`;
  const off = `${q.percent(throughputRatio)} on average${response}`;
  if (whatIf.length > 0)
    return `Over ${q.counted(stepCount, 'step')} X with ${whatIf.join(', ')} is ${off} from what was measured: the effect of the change, or, where it states what the service is, the error of the prediction.`;
  return `Over ${q.counted(stepCount, 'step')} X was off by ${off}. Within 10 % and 30 % the model holds; a larger error is a finding: the service does something its demands do not show.`;
}
