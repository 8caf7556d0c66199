import type { RemedyOption } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import type { CheckResult, PercentileName, Target, Verdict } from '../model/verdict.ts';
import type { Unit } from './quantities.ts';

/** How a word is meant: met, missed, doubtful, or neither. */
export type Tone = 'good' | 'bad' | 'doubt' | 'plain';

export interface Word {
  readonly word: string;
  readonly tone: Tone;
}

export const DECISION_WORDS: Readonly<Record<Verdict['decision'], Word>> = {
  pass: { word: 'PASS', tone: 'good' },
  fail: { word: 'FAIL', tone: 'bad' },
  'no-margin': { word: 'NO MARGIN', tone: 'doubt' },
  inconclusive: { word: 'INCONCLUSIVE', tone: 'doubt' },
  invalid: { word: 'NO VERDICT: THE RUN IS NOT VALID', tone: 'bad' },
  'not-judged': { word: 'NOT JUDGED', tone: 'plain' },
};

export const RESULT_WORDS: Readonly<Record<CheckResult, Word>> = {
  pass: { word: 'pass', tone: 'good' },
  fail: { word: 'fail', tone: 'bad' },
  'no-margin': { word: 'no margin', tone: 'doubt' },
  inconclusive: { word: 'inconclusive', tone: 'doubt' },
};

export const OPTION_WORDS: Readonly<Record<RemedyOption['verdict'], Word>> = {
  chosen: { word: 'chosen', tone: 'good' },
  fallback: { word: 'fallback', tone: 'plain' },
  partial: { word: 'partial', tone: 'doubt' },
  no: { word: 'no', tone: 'bad' },
};

export const SEVERITY_WORDS: Readonly<Record<Notice['severity'], Word>> = {
  'red-flag': { word: 'red flag', tone: 'bad' },
  warning: { word: 'warning', tone: 'doubt' },
  info: { word: 'note', tone: 'plain' },
};

const OTHER_UNITS: Readonly<Record<Exclude<Target['metric'], PercentileName>, Unit>> = {
  mean: 'seconds',
  max: 'seconds',
  throughput: 'perSecond',
  errors: 'count',
  errorRatio: 'ratio',
  cpu: 'ratio',
};

/** Unit of what a target measures; percentiles are response times. */
export function metricUnit(metric: Target['metric']): Unit {
  return metric in OTHER_UNITS ? OTHER_UNITS[metric as keyof typeof OTHER_UNITS] : 'seconds';
}
