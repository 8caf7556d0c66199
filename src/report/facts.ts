import type { Evidence, GeneratorWorkerRow, RemedyOption, StepRow } from '../model/analysis.ts';
import type { CheckDocument, ReportDocument } from '../model/documents.ts';
import type { Notice } from '../model/notice.ts';
import type { Target } from '../model/verdict.ts';
import type { ScoredGuess } from '../model/guess.ts';
import * as q from './quantities.ts';
import { type LoadKind, hasParts, loadKind, loadOf, loadText } from './step-columns.ts';
import { metricUnit } from './words.ts';

/** A line of a report: what, and its figures in words. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Shows a value that is there. */
export const when = <T>(value: T | undefined, show: (value: T) => string): string | undefined =>
  value === undefined ? undefined : show(value);

/** The facts whose value is known. */
export const known = (facts: readonly (readonly [string, string | undefined])[]): readonly Fact[] =>
  facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));

/** Where the load went; of another tool's run, which tool and how its file was read. */
export const sourceText = ({ imported, service }: ReportDocument): string =>
  imported === undefined || imported.basis === 'table'
    ? service.url
    : `results of ${imported.tool}, read as ${imported.format}`;

/** When a run began, as people write it: `2026-12-01 10:44 UTC`; what is no time stays as it is. */
export const startedText = ({ startedAt }: Pick<ReportDocument, 'startedAt'>): string =>
  startedAt.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2 UTC');

/** A run of parts in time has no curve. */
export const capacityHeading = ({ steps }: ReportDocument): string =>
  hasParts(steps) ? 'Validity' : 'Where the curve bends';

/** Validity, bend, knee, saturation, peak, capacity and what to plan for, in that order; only what is known. */
export function capacityFacts(document: ReportDocument): readonly Fact[] {
  const { knee, saturation, usl, steps } = document;
  const kind = loadKind(steps);
  const ends = (interval: readonly [number, number]): string => q.range(interval, q.load);
  if (hasParts(steps))
    return known([
      ['validity', validity(document)],
      ['load made by', workersText(steps)],
      ['agents', agentsText(document)],
    ]);
  return known([
    ['validity', validity(document)],
    ['load made by', workersText(steps)],
    ['bend', when(knee.bend, ([last, first]) => `between ${q.load(last)} and ${loadText(first, kind)}`)],
    ['knee N*', kneeText(document)],
    [
      'saturation',
      when(saturation, (s) =>
        s.isUpperBound
          ? `${saturationText(s, kind)}, from ${s.method}: the sweep may start above it`
          : `${saturationText(s, kind)} (${ends(s.interval)}), from ${s.method}`,
      ),
    ],
    [
      'peak',
      when(
        knee.peak,
        (peak) =>
          `${q.rate(peak.throughputPerSecond)} at ${loadText(peak.load, kind)}${peak.reached ? '' : unreachedPeak(document)}`,
      ),
    ],
    [
      'degradation',
      when(knee.degradation, (loss) =>
        loss.isLastStepOnly
          ? `throughput is ${q.percent(loss.lossRatio)} lower at the last step, ${loadText(loss.fromLoad, kind)}, which was left out of the knee`
          : `throughput falls by ${q.percent(loss.lossRatio)} beyond ${loadText(loss.fromLoad, kind)}`,
      ),
    ],
    ['capacity', when(knee.capacityPerSecond, (c) => `${capacityText(c, knee)}${capacitySource(document)}`)],
    ['plan for', when(knee.planForPerSecond, (p) => `${capacityText(p, knee)}, 70 % of the capacity`)],
    ['operate at', when(knee.operatingBand, (band) => `${ends(band)} ${kind.noun}, 50–70 % of the capacity`)],
    [
      'USL',
      when(
        usl,
        (fit) =>
          `contention ${q.coefficient(fit.contention)}, coherency ${q.coefficient(fit.coherency)}: ${fit.note}`,
      ),
    ],
  ]);
}

/** The saturation, or the side of it that the data bound. */
export function saturationText(
  { users, interval, isLowerBound, isUpperBound }: NonNullable<ReportDocument['saturation']>,
  kind: LoadKind,
): string {
  if (isUpperBound) return `at most ${loadText(interval[1], kind)}`;
  return `${isLowerBound ? 'at least ' : ''}${loadText(users, kind)}`;
}

/** A peak at the end of the curve; one load alone has no direction. */
function unreachedPeak({ steps, knee: { rise, peak } }: ReportDocument): string {
  const loads = new Set(steps.filter((row) => row.valid && row.throughputPerSecond > 0).map(loadOf));
  if (loads.size < 2) return ', the only load measured';
  if (rise === undefined)
    return peak?.load === Math.max(...loads)
      ? ', the highest measured: its error does not tell whether X still rises'
      : ', the highest measured: that X falls after it is not shown';
  const by = ` by ${q.percent(rise.gainRatio)} from ${q.load(rise.fromLoad)} to ${q.load(rise.toLoad)}`;
  return `, the highest measured: X was still rising${by}`;
}

function validity({ steps }: ReportDocument): string {
  const kind = loadKind(steps);
  if (steps.length === 0) return 'no step was measured';
  const doubtful = steps.filter((row) => !row.valid);
  if (doubtful.length === 0) {
    const all = steps.length === 1 ? 'the step is valid' : `all ${steps.length} steps are valid`;
    const unchecked = uncheckedOf(steps);
    return unchecked === '' ? all : `${all} as far as the table tells: ${unchecked} could not be checked`;
  }
  const each = doubtful.map((row) => {
    const flags = row.notices.filter(({ severity }) => severity === 'red-flag');
    const reasons = flags.length > 0 ? flags : row.notices;
    const why = reasons.map(({ message }) => message).join('; ') || 'no reason recorded';
    return `${loadText(loadOf(row), kind)}: ${why}`;
  });
  const more =
    each.length > MOST_ALIKE ? [`… and ${each.length - MOST_ALIKE} more, marked in the table`] : [];
  const shown = [...each.slice(0, MOST_ALIKE), ...more].join(' / ');
  return `${doubtful.length} of ${q.counted(steps.length, 'step')} not valid (${shown})`;
}

/** Each worker of the generator at the step where it was busiest; undefined where there is one generator. */
function workersText(steps: readonly StepRow[]): string | undefined {
  const all = steps.flatMap((row) => row.generator?.workers ?? []);
  const names = [...new Set(all.map((worker) => worker.name))];
  if (names.length === 0) return undefined;
  const most = (name: string, pick: (worker: GeneratorWorkerRow) => number | undefined): number =>
    Math.max(...all.filter((worker) => worker.name === name).map((worker) => pick(worker) ?? 0));
  return names
    .map((name) => {
      const busy = q.percent(most(name, (worker) => worker.utilizationRatio));
      const lag = q.duration(most(name, (worker) => worker.scheduleLagP99Seconds));
      const delay = q.duration(most(name, (worker) => worker.eventLoopDelayMaxSeconds));
      return `${name} (at most ${busy} of its core, schedule lag p99 ${lag}, event loop late by ${delay})`;
    })
    .join(', ');
}

/** What each load agent was worth: its share, its clock, and whether all it sent is in the result. */
function agentsText({ agents }: ReportDocument): string | undefined {
  return agents
    ?.map(({ name, sentCount, clockUncertaintySeconds, clockDriftSeconds, isWhole, lost }) => {
      const drift = clockDriftSeconds > 0 ? `, drifted by ${q.duration(clockDriftSeconds)}` : '';
      const clock = `clock known to ± ${q.duration(clockUncertaintySeconds)}${drift}`;
      const whole = isWhole ? 'all of it counted here' : 'not all of it counted here';
      const fate =
        lost === undefined ? whole : `lost ${q.duration(lost.atSeconds)} into the run: ${lost.reason}`;
      return `${name} (${q.counted(sentCount, 'request')}, ${clock}; ${fate})`;
    })
    .join(', ');
}

/** What would tell a bad step and is at no step of the table. */
function uncheckedOf(steps: readonly StepRow[]): string {
  const closed = steps.some((row) => row.arrivalRatePerSecond === undefined);
  const checkedByLittle = steps.some((row) => row.littleResidualRatio !== undefined);
  const generatorKnown = steps.some((row) => row.generator !== undefined);
  return [
    ...(generatorKnown ? [] : ['the generator']),
    ...(closed && !checkedByLittle ? ["Little's law"] : []),
  ].join(' and ');
}

function kneeText({ knee, steps }: ReportDocument): string {
  const kind = loadKind(steps);
  if (knee.seen && knee.users === undefined) return `none where requests arrive at a rate: ${knee.reason}`;
  const last = steps.at(-1);
  if (knee.seen && knee.users !== undefined) {
    const interval = knee.interval === undefined ? '' : ` (${q.range(knee.interval, q.load)})`;
    return `${loadText(knee.users, kind)}${interval}: ${knee.reason}`;
  }
  const upTo = last === undefined ? '' : ` up to ${loadText(loadOf(last), kind)}`;
  const straight = knee.lowerBound === undefined ? '' : `; N* is at least ${q.load(knee.lowerBound)}`;
  const most = knee.upperBound === undefined ? '' : `; N* is at most ${q.load(knee.upperBound)}`;
  return `no knee seen${upTo}: ${knee.reason}${straight}${most}`;
}

/** A rate that rests on the capacity: `at least` where that is a lower bound. */
export const capacityText = (perSecond: number, { capacitySource }: ReportDocument['knee']): string =>
  capacitySource === 'highest-measured' ? `at least ${q.rate(perSecond)}` : q.rate(perSecond);

function capacitySource({ knee }: ReportDocument): string {
  if (knee.capacitySource === undefined) return '';
  const words = {
    plateau: ', the plateau',
    asymptote: ', from the asymptote 1/D (not reached in this run)',
    'highest-measured': ', the highest measured: no plateau was reached, so this is a lower bound',
  };
  return words[knee.capacitySource];
}

/** The other methods' answers, one fact each. */
export function crossCheckFacts({ crossChecks, steps }: ReportDocument): readonly Fact[] {
  const kind = loadKind(steps);
  return crossChecks.map(({ method, users, standardError, note }) => {
    const error = standardError === undefined ? '' : ` ± ${q.figure(standardError)}`;
    const answer = users === undefined ? 'no answer' : `${q.load(users)}${error} ${kind.noun}`;
    return { label: method, value: `${answer}: ${note}` };
  });
}

/** A check as the cells of a row. */
export interface CheckLine {
  readonly target: string;
  readonly observed: string;
  readonly needed: string;
  readonly result: CheckDocument['result'];
  readonly reason: string;
}

/** A check's figures with their units; `needed` is what passing with margin takes. */
export function checkLine(check: CheckDocument): CheckLine {
  const unit = metricUnit(check.goal.metric);
  const interval = when(check.interval, (i) => ` (${q.quantityRange(i, unit)})`);
  return {
    target: check.target,
    observed: `${q.quantity(check.observed, unit)}${interval ?? ''}`,
    needed: `${SIGN[check.goal.comparison]} ${givenQuantity(check.neededForPass, check.goal.metric)}`,
    result: check.result,
    reason: check.reason,
  };
}

const SIGN: Readonly<Record<Target['comparison'], string>> = { '<=': '≤', '>=': '≥', '=': '=' };

function givenQuantity(value: number, metric: Target['metric']): string {
  const unit = metricUnit(metric);
  return unit === 'seconds' ? q.givenDuration(value) : q.quantity(value, unit);
}

/** What an option is predicted to do at the peak, in a line. */
export function predictedText({ predicted }: RemedyOption, kind: LoadKind): string {
  const p95 = Object.entries(predicted.p95ByRoute).map(([route, s]) => `p95 ${route} ${q.duration(s)}`);
  return [
    `predicted at ${loadText(predicted.users, kind)}: X ${q.rate(predicted.throughputPerSecond)}`,
    `U ${q.percent(predicted.utilizationRatio)}`,
    ...p95,
    `saturation at ${q.count(predicted.saturationUsers)} ${kind.noun}`,
  ].join(', ');
}

/** A notice as a line, with its advice and its place. */
export function noticeText(notice: Notice): string {
  const where = notice.where === undefined ? '' : ` (${notice.where})`;
  const text = `${notice.message}${where}`;
  if (notice.advice === undefined) return text;
  return `${text}${/[.!?]$/.test(text) ? '' : ';'} ${notice.advice}`;
}

/** More evidence of one kind convinces nobody further. */
const MOST_EVIDENCE = 12;

/** Evidence as it is shown: the first pieces, and how many more there are. */
export function shownEvidence(
  evidence: readonly Evidence[],
): readonly Pick<Evidence, 'text' | 'stepIndex'>[] {
  const more = evidence.length - MOST_EVIDENCE;
  if (more <= 1) return evidence;
  return [...evidence.slice(0, MOST_EVIDENCE), { text: `… and ${more} more: the JSON report has all` }];
}

/** Of what is alike at many steps so many are told one by one: a run can have a thousand steps. */
const MOST_ALIKE = 8;

/** Notices of the run and of its steps, the gravest first; of those with one code at many steps the first few and a count. */
export function allNotices(document: ReportDocument): readonly Notice[] {
  const order = { 'red-flag': 0, warning: 1, info: 2 };
  const kind = loadKind(document.steps);
  const ofSteps = document.steps.flatMap((row) =>
    row.notices.map((notice) => ({ ...notice, where: notice.where ?? loadText(loadOf(row), kind) })),
  );
  return condensed([...document.notices, ...ofSteps].sort((a, b) => order[a.severity] - order[b.severity]));
}

function condensed(notices: readonly Notice[]): readonly Notice[] {
  const countOf = (code: string): number => notices.filter((one) => one.code === code).length;
  const told = new Map<string, number>();
  return notices.flatMap((notice) => {
    const { code, severity } = notice;
    const before = told.get(code) ?? 0;
    told.set(code, before + 1);
    if (before < MOST_ALIKE) return [notice];
    if (before > MOST_ALIKE) return [];
    const more = countOf(code) - MOST_ALIKE;
    const message = `the same doubt (${code}) ${q.counted(more, 'more time')}: the JSON report has all`;
    return [{ code, severity, message }];
  });
}

export const GUESS_HEADINGS = ['guess', 'guessed', 'measured', 'off by', 'note'] as const;

/** A person's guess: what, guessed, measured, how far off, and what the measured figure rests on. */
export function guessCells({
  quantity,
  unit,
  guessed,
  measured,
  errorRatio,
  note,
}: ScoredGuess): readonly string[] {
  const cell = (value: number | string | undefined): string => {
    if (typeof value !== 'number') return value ?? q.MISSING;
    return unit === 'perSecond' ? q.rate(value) : q.figure(value);
  };
  return [quantity, cell(guessed), cell(measured), offBy(guessed, measured, errorRatio), note];
}

function offBy(guessed: number | string, measured: number | string | undefined, errorRatio?: number): string {
  if (measured === undefined) return q.MISSING;
  if (typeof measured === 'number') return q.signedPercent(errorRatio);
  return guessed === measured ? 'right' : 'wrong';
}
