import { type FieldRule, rule } from './field-rule.ts';

const SEARCH = 'the trials of the search, see shapeResult.reason';
const BORDER = 'the posterior of the limit given all trials of the search (docs/loads.md)';
const BORDER_OF = {
  formula: 'quantile of ∏ p (loads below) · ∏ (1 − p) (loads above) · width of the gap between loads',
};
const SPIKE = 'windows of the spike’s slices against those before it, see shapeResult.reason';
const MEASURED_BY_OUTCOME = 'counted by the generator, by outcome';
const MIXES = 'the steps of each write ratio';

/** What a search, a stress run, a spike or a run of several write ratios came to, by its path in the report. */
export const SHAPE_RULES: Readonly<Record<string, FieldRule>> = {
  'shapeResult.trials[].load': rule('a load that was tried', SEARCH),
  'shapeResult.trials[].stepCount': rule('steps that were run at the load', SEARCH),
  'shapeResult.trials[].passProbability': rule('how sure it is that the load meets the targets', SEARCH, {
    inputs: ['load', 'stepCount'],
  }),
  'shapeResult.highestPassing': rule('the highest load that met the targets', SEARCH),
  'shapeResult.lowestFailing': rule('the lowest load that did not', SEARCH),
  'shapeResult.borderLow': rule('the limit lies above this, at the confidence', BORDER, BORDER_OF),
  'shapeResult.borderHigh': rule('the limit lies below this, at the confidence', BORDER, BORDER_OF),
  'shapeResult.confidenceRatio': rule(
    'how sure it is that the limit lies between borderLow and borderHigh',
    BORDER,
  ),
  'shapeResult.brokenAt': rule('the load at which the service broke', 'the step table', {
    inputs: ['reason'],
  }),
  'shapeResult.highestHeld': rule('the highest load that it held', 'the step table', { inputs: ['reason'] }),
  'shapeResult.recoveredAfterSeconds': rule(
    'from the end of the spike to the first time from which every window is as before it',
    SPIKE,
    { inputs: ['baselineP95Seconds'] },
  ),
  'shapeResult.observedSeconds': rule('how long was watched after the spike', 'the plan'),
  'shapeResult.drainedAfterSeconds': rule('from the end of the spike until the backlog was gone', SPIKE),
  'shapeResult.expectedDrainSeconds': rule('how long the backlog takes to drain', 'fluid arithmetic', {
    formula: '(λs − μ)·Ts/(μ − λb): what queued up in Ts at λs, drained at μ less what comes after',
    inputs: ['capacityPerSecond'],
  }),
  'shapeResult.capacityPerSecond': rule('the most it answered a second while the spike lasted', SPIKE),
  'shapeResult.baselineP95Seconds': rule('p95 before the spike', SPIKE),
  'shapeResult.worstP95Seconds': rule('the highest p95 of a window in the spike or after it', SPIKE),
  'shapeResult.lostCount': rule(
    'requests of the burst and after it that failed, timed out or were never sent',
    MEASURED_BY_OUTCOME,
  ),
  'shapeResult.waitingCount': rule('requests in flight when the run ended', MEASURED_BY_OUTCOME),
  'shapeResult.mixes[].writeRatio': rule('share of writes that was asked for', 'the plan'),
  'shapeResult.mixes[].measuredWriteRatio': rule('share of writes that was sent', MIXES),
  'shapeResult.mixes[].load': rule('the load at which the mixes are compared', MIXES),
  'shapeResult.mixes[].throughputPerSecond': rule('X of the mix at the load', MIXES, { formula: 'X = C/T' }),
  'shapeResult.mixes[].serviceDemandSeconds': rule('D of the mix', 'service demand law', {
    formula: 'D = U·m/X',
    inputs: ['throughputPerSecond'],
  }),
  'shapeResult.readDemandSeconds': rule('what a read costs: the line through the mixes at no writes', MIXES),
  'shapeResult.writeDemandSeconds': rule('what a write costs: the same line at nothing but writes', MIXES),
  'shapeResult.costRatio': rule('what a write costs in reads', MIXES, {
    formula: 'write demand / read demand',
    inputs: ['writeDemandSeconds', 'readDemandSeconds'],
  }),
};
