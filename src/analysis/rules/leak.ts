import type { Evidence, Experiment, Finding } from '../../model/analysis.ts';
import { bareLoadText, figure, secondsText } from '../../stats/wording.ts';
import { constantLoad, type ConstantLoad } from './constant-load.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { driftOfStretch, type ShortDrift } from './short-drift.ts';
import { stepEvidence } from './threshold-rule.ts';

/** What the same load once more does to a quantity that leaks, and to one that has filled. */
const REPEATED: Readonly<Record<Leak['reads'], Pick<Experiment, 'supports' | 'refutes'>>> = {
  residentGrowthBytes: { supports: { atLeast: 0.5 }, refutes: { atMost: 0.2 } },
  descriptorCount: { supports: { atLeast: 1.05 }, refutes: { atMost: 1.01 } },
  responseTimeSeconds: { supports: { atLeast: 1.1 }, refutes: { atMost: 1 } },
};

/** A trend over less may still be a service that warms up: medium confidence at most. */
const LONG_SECONDS = 600;

export interface Leak {
  readonly id: string;
  readonly resource: string;
  readonly quantity: 'rssBytes' | 'descriptorCount' | 'poolInUse';
  readonly reads: 'residentGrowthBytes' | 'descriptorCount' | 'responseTimeSeconds';
  readonly name: string;
  /** A rise below this is none, however sure. */
  readonly leastRise: number;
  readonly text: (value: number) => string;
}

/** The drift of a counter under constant load, with the stretch it was seen in; undefined where none is sure. */
export function driftAtConstantLoad(
  { quantity, leastRise }: Pick<Leak, 'quantity' | 'leastRise'>,
  input: DiagnosisInput,
): { readonly drift: ShortDrift; readonly load: ConstantLoad } | undefined {
  const load = constantLoad(input);
  const series = load?.series(quantity);
  if (load === undefined || series === undefined) return undefined;
  const drift = driftOfStretch({ quantity, read: 'lowest', leastRise, ...series });
  return drift?.drifts === true && drift.rise > 0 ? { drift, load } : undefined;
}

/**
 * A quantity that goes on growing under constant load as it did at the beginning (see `driftOfStretch`): a leak. One that
 * levels off is a cache that fills, and left to that rule; where it cannot be told yet the confidence is low.
 */
export const leakRule = (leak: Leak): DiagnosisRule => ({
  id: leak.id,
  examine: (input) => {
    const found = driftAtConstantLoad(leak, input);
    if (found === undefined || found.drift.shape === 'fill') return [];
    return [findingOf(leak, found.drift, found.load)];
  },
});

function findingOf(leak: Leak, drift: ShortDrift, load: ConstantLoad): Finding {
  const last = load.rows.at(-1)!;
  const perSecond = `${leak.text(drift.slopePerSecond * 60)} a minute`;
  const sure = drift.shape === 'leak';
  return {
    ruleId: leak.id,
    claim: `the ${leak.name} grows at constant load (${bareLoadText(last)}) and does not level off: ${perSecond}${limitText(drift)}`,
    confidence: sure ? (load.seconds >= LONG_SECONDS ? 'high' : 'medium') : 'low',
    resource: leak.resource,
    evidence: [riseEvidence(leak, drift, load), requestEvidence(leak, drift, load)],
    counterEvidence: sure ? [] : [unclearEvidence(leak, drift, load)],
    nextExperiment:
      'the same load once more: a leak grows on at the same pace, a cache that has filled does not',
    experiment: {
      kind: 'repeat-load',
      stepIndex: last.index,
      reads: { quantity: leak.reads },
      ...REPEATED[leak.reads],
    },
  };
}

const trendText = ({ pValue, climbs }: ShortDrift): string =>
  climbs === true && pValue >= 0.01
    ? 'from block to block all the way'
    : `p = ${figure(pValue)} (Mann–Kendall)`;

const limitText = ({ secondsToLimit }: ShortDrift): string =>
  secondsToLimit === undefined ? '' : `; its limit is reached in ${secondsText(secondsToLimit.expected)}`;

function riseEvidence(leak: Leak, drift: ShortDrift, { rows, seconds }: ConstantLoad): Evidence {
  const text = `${leak.name} up by ${leak.text(drift.rise)} in ${secondsText(seconds)}, ${trendText(drift)},`;
  return stepEvidence(
    rows.at(-1)!,
    leak.reads,
    drift.rise,
    leak.quantity === 'rssBytes' ? 'bytes' : 'count',
    text,
  );
}

function requestEvidence(leak: Leak, drift: ShortDrift, { rows }: ConstantLoad): Evidence {
  const perSecond = rows.reduce((sum, row) => sum + row.throughputPerSecond, 0) / rows.length;
  const each = drift.slopePerSecond / perSecond;
  const text = `${leak.quantity === 'rssBytes' ? `${figure(each / 1e3)} kB` : figure(each)} for every request at ${figure(perSecond)}/s,`;
  return stepEvidence(
    rows.at(-1)!,
    'growthPerRequest',
    each,
    leak.quantity === 'rssBytes' ? 'bytes' : 'count',
    text,
  );
}

const unclearEvidence = (leak: Leak, drift: ShortDrift, { rows }: ConstantLoad): Evidence =>
  stepEvidence(
    rows.at(-1)!,
    leak.reads,
    drift.rise,
    leak.quantity === 'rssBytes' ? 'bytes' : 'count',
    'whether it levels off cannot be told yet',
  );
