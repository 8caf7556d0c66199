import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { figure, bareLoadText, secondsText } from '../../stats/wording.ts';
import { mannKendall } from '../../stats/trend.ts';
import { constantLoad } from './constant-load.ts';
import { DESCRIPTORS } from './descriptor-leak.ts';
import { driftAtConstantLoad } from './leak.ts';
import { MEMORY } from './memory-leak.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

const SIGNIFICANT = 0.01;
/** The first windows against the last ones: less is no cold start that matters. */
const LEAST_FALL = 2;
/** A smaller one is a compiler or a pool that warms up: true, and of no account. */
const LEAST_FALL_SECONDS = 2e-3;
/** Of the whole fall, what the last third may still bring. */
const LEVEL_SHARE = 0.2;

/**
 * A service that fills up or warms up under constant load and then is steady: memory or descriptors that level off,
 * or response times that fall by half and 2 ms or more, little of it in the last third (Mann–Kendall over the windows,
 * p < 0.01). What was measured before that is not what the service can do.
 */
export const cacheFill: DiagnosisRule = {
  id: 'cache-fill',
  examine: (input) => {
    const fills = [MEMORY, DESCRIPTORS].flatMap((quantity) => {
      const found = driftAtConstantLoad(quantity, input);
      if (found?.drift.shape !== 'fill') return [];
      const { drift, load } = found;
      const text = `${quantity.name} up by ${quantity.text(drift.rise)} and level at the end`;
      return [stepEvidence(load.rows.at(-1)!, quantity.reads, drift.rise, 'count', text)];
    });
    const cold = coldStart(input);
    if (fills.length === 0 && cold === undefined) return [];
    return [findingOf(fills, cold, constantLoad(input)!.rows)];
  },
};

interface ColdStart {
  readonly evidence: readonly Evidence[];
  readonly fall: number;
}

function coldStart(input: DiagnosisInput): ColdStart | undefined {
  const rows = constantLoad(input)?.rows ?? [];
  const times = rows.flatMap((row) => row.responseTimeSeconds ?? []);
  if (rows.length < 6 || times.length < rows.length) return undefined;
  const third = Math.floor(rows.length / 3);
  const [start, end] = [times.slice(0, third), times.slice(-third)].map(meanOf) as [number, number];
  const { pValue } = mannKendall(times);
  const fall = times[0]! - times.at(-1)!;
  const lateFall = times.at(-third)! - times.at(-1)!;
  if (
    pValue >= SIGNIFICANT ||
    start < LEAST_FALL * end ||
    fall < LEAST_FALL_SECONDS ||
    lateFall > LEVEL_SHARE * fall
  )
    return undefined;
  const text = `response times fall from ${secondsText(times[0]!)} to ${secondsText(end)} (p = ${figure(pValue)})`;
  return {
    fall: times[0]! / end,
    evidence: [stepEvidence(rows.at(-1)!, 'responseTimeSeconds', end, 'seconds', text)],
  };
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function findingOf(
  fills: readonly Evidence[],
  cold: ColdStart | undefined,
  rows: readonly StepRow[],
): Finding {
  const last = rows.at(-1)!;
  const what =
    cold === undefined
      ? 'fills up and levels off'
      : `is ${figure(cold.fall)} times slower at first and warms up`;
  return {
    ruleId: 'cache-fill',
    claim: `the service ${what} at constant load (${bareLoadText(last)}): what was measured before that is the filling`,
    confidence: 'medium',
    resource: 'cache',
    evidence: [...(cold?.evidence ?? []), ...fills],
    counterEvidence: [],
    nextExperiment: 'the same load once more without a restart: a filled cache shows none of it',
    experiment: {
      kind: 'repeat-load',
      stepIndex: last.index,
      reads: cold === undefined ? { quantity: 'residentBytes' } : { quantity: 'responseTimeSeconds' },
      supports: { atLeast: 0.8, atMost: 1.2 },
      refutes: { atLeast: 1.5 },
    },
  };
}
