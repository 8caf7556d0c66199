import type { Evidence, Finding } from '../../model/analysis.ts';
import { secondsText } from '../../stats/wording.ts';
import { readCurve } from './one-lane-bridge/curve.ts';
import { readInterference } from './one-lane-bridge/interference.ts';
import { readIsolation } from './one-lane-bridge/isolation.ts';
import { candidatePairs } from './one-lane-bridge/pairs.ts';
import type { Pair } from './one-lane-bridge/pairs.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';

/** A pair that the evidence supports. */
interface Held {
  readonly pair: Pair;
  readonly confidence: Finding['confidence'];
  readonly evidence: readonly Evidence[];
  readonly counterEvidence: readonly Evidence[];
}

/**
 * One-lane bridge (Smith & Williams, Software Performance Antipatterns, 2000): a route whose requests hold up
 * all others one by one. Strongest first, the evidence is (a) the fast route's p95 is low once the slow route is
 * left out, (b) requests sent behind a slow one in flight wait for its rest, the others do not, (c) at low
 * utilisation the fast p95 is far above its median by what the slow route's demand explains. (b) overrules (c):
 * an asynchronous slow route, or pauses that hit all routes alike, are not this. It overrules (a) as well, which
 * cannot tell several slow routes apart, unless requests behind the slow route are held up beyond chance. Too few
 * requests for (b) leave doubt.
 */
export const oneLaneBridge: DiagnosisRule = {
  id: 'one-lane-bridge',
  examine: (input) => {
    const pairs = candidatePairs(input);
    const held = pairs.flatMap((pair) => examinePair(pair, pairs, input));
    const slowRoutes = [...new Set(held.map(({ pair }) => pair.slow))];
    return slowRoutes.map((slow) => findingOf(held.filter(({ pair }) => pair.slow === slow)));
  },
};

function examinePair(pair: Pair, pairs: readonly Pair[], input: DiagnosisInput): Held[] {
  const interference = readInterference(pair, pairs, input);
  const blocked = interference.verdict === 'blocked';
  const curve = readCurve(pair, input, blocked, interference.longestServiceSeconds);
  const isolation = readIsolation(pair, input);
  const gone = isolation.verdict === 'gone';
  const stays = isolation.verdict === 'stays';
  const outranked = gone && interference.leansToBlocked;
  if ((interference.verdict === 'free' && !outranked) || (stays && !blocked)) return [];
  // Even where requests are seen to be held up, a p95 that this does not explain has another cause.
  const strong = blocked || gone;
  if (curve.explained.length < (strong ? 1 : 2)) return [];
  const unsure = interference.verdict !== 'open' && !interference.solid;
  const doubted = interference.free.length > 0 || unsure || stays || (curve.contradicted && !blocked);
  const confidence = strong && !doubted ? 'high' : doubted && !strong ? 'low' : 'medium';
  return [
    {
      pair,
      confidence,
      evidence: [...(gone ? isolation.evidence : []), ...interference.blocked, ...curve.explained],
      counterEvidence: [...(stays ? isolation.evidence : []), ...interference.free, ...curve.against],
    },
  ];
}

/** Whether a step below 50 % utilisation is among the evidence. */
const isSeenLow = ({ pair, evidence }: Held): boolean =>
  evidence.some(({ stepIndex }) => pair.lowSteps.some(({ index }) => index === stepIndex));

const STRONGEST_FIRST: readonly Finding['confidence'][] = ['high', 'medium', 'low'];

function findingOf(held: readonly Held[]): Finding {
  const { pair } = held[0]!;
  const fast = held.map((one) => one.pair.fast).join(', ');
  const confidence = STRONGEST_FIRST.find((level) => held.some((one) => one.confidence === level))!;
  return {
    ruleId: 'one-lane-bridge',
    claim: `one-lane bridge: ${pair.slow} (about ${secondsText(pair.serviceSeconds)} each) holds up ${fast} ${held.some(isSeenLow) ? 'even at low utilisation' : 'below 70 % utilisation'}`,
    confidence,
    resource: 'lane',
    route: pair.slow,
    evidence: held.flatMap(({ evidence }) => evidence),
    counterEvidence: held.flatMap(({ counterEvidence }) => counterEvidence),
    ...(confidence === 'high' ? {} : { nextExperiment: 'shipload isolate: each route alone' }),
    experiment: {
      kind: 'leave-out-route',
      route: pair.slow,
      ...(pair.steps.length > 0 && { stepIndex: pair.steps.at(-1)!.index }),
      reads: { quantity: 'p95Seconds', route: pair.fast },
      supports: { atMost: 0.4 },
      refutes: { atLeast: 0.8 },
    },
  };
}
