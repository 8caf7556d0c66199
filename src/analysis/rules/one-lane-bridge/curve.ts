import type { Evidence, StepRow } from '../../../model/analysis.ts';
import { percentText, secondsText } from '../../../stats/wording.ts';
import type { DiagnosisInput } from '../rule.ts';
import { stepEvidence } from '../threshold-rule.ts';
import { throughputOf } from './pairs.ts';
import type { Pair } from './pairs.ts';

/** A p95 this many times the median is far above it. */
const FAR_ABOVE = 3;
/** Share of requests beyond a p95. */
const BEYOND = 0.05;
/** A lane that is busy for less cannot move a p95; below this share it is plainly idle. */
const IDLE_LANE = 0.03;
/** An excess of at least half the predicted one is of its size. */
const LEAST_OF_PREDICTED = 0.5;
/** CPU used over time taken by the slow route: with less it mostly waits, and does not occupy a CPU lane. */
const OCCUPIES = 0.7;
/** A single service can be measured a little long: S is a median. */
const SERVICE_TOLERANCE = 1.2;
const SOLID_SAMPLES = 200;

/** What the step table alone says about a pair. */
export interface CurveReading {
  /** Low steps whose fast p95 the lane explains. */
  readonly explained: readonly Evidence[];
  /** Low steps that speak against it. */
  readonly against: readonly Evidence[];
  /** Whether what speaks against it is more than a few samples at one user. */
  readonly contradicted: boolean;
}

interface Lane {
  /** U_slow = X_slow·S_slow, or the process's CPU where X_slow is not known. */
  readonly busyRatio: number;
  readonly source: string;
}

/**
 * Explains the fast route's p95 at low utilisation by a lane that the slow route occupies: at a lane busy for
 * U_slow with a service of S, P(wait > w) = U_slow·(1 − w/S) for w < S (a deterministic service and Poisson
 * arrivals, first wait only), so that p95 waits w = S·(1 − 0.05/U_slow). A step is explained when p95 ≥ 3·p50
 * and p95 − p50 lies between half of that w and 1.2·S/(1 − U). A high p95 while the lane is idle (U_slow < 3 %)
 * speaks against it. Nothing is explained when at some step the process used less CPU than 0.7·U_slow: the slow
 * route then waits elsewhere, unless `occupied` says that requests behind it were seen to be held up; the median may then
 * be held up as well, and p95 ≥ 3·(the unhindered median) will do. `longestServiceSeconds` is the S of the upper
 * limit: the longest of the routes that hold up together.
 */
export function readCurve(
  pair: Pair,
  input: DiagnosisInput,
  occupied: boolean,
  longestServiceSeconds: number,
): CurveReading {
  if (!occupied && pair.steps.some((row) => waitsElsewhere(row, pair, input))) {
    return { explained: [], against: [], contradicted: false };
  }
  const explained: Evidence[] = [];
  const against: Evidence[] = [];
  let contradicted = false;
  for (const row of pair.steps) {
    const fast = row.byRoute[pair.fast];
    const lane = laneAt(row, pair, input, occupied);
    if (fast?.p50Seconds === undefined || fast.p95Seconds === undefined || lane === undefined) continue;
    if (fast.p95Seconds < FAR_ABOVE * (occupied ? pair.fastSeconds : fast.p50Seconds)) continue;
    const excess = fast.p95Seconds - fast.p50Seconds;
    const text = `${pair.fast}: p95 ${secondsText(fast.p95Seconds)} over a median of ${secondsText(fast.p50Seconds)}, with ${pair.slow} taking ${secondsText(pair.serviceSeconds)} and its lane busy for ${percentText(lane.busyRatio)} (${lane.source})`;
    const evidence = stepEvidence(row, `p95Seconds ${pair.fast}`, fast.p95Seconds, 'seconds', text);
    if (isExplained(excess, lane.busyRatio, row, pair, longestServiceSeconds)) explained.push(evidence);
    else if (lane.busyRatio < IDLE_LANE && excess > pair.serviceSeconds / 2) {
      against.push({ ...evidence, text: `${evidence.text}: too idle to explain it` });
      // With one user nothing can be in the way, and a first step is cold: worth a line, not a doubt.
      contradicted ||= row.users !== 1 && (fast.sampleCount ?? SOLID_SAMPLES) >= SOLID_SAMPLES;
    }
  }
  return { explained, against, contradicted };
}

function isExplained(excess: number, busy: number, row: StepRow, pair: Pair, longest: number): boolean {
  if (busy <= BEYOND) return false;
  const predicted = pair.serviceSeconds * (1 - BEYOND / busy);
  const utilization = Math.max(busy, row.utilizationRatio['cpu'] ?? 0);
  const most = (SERVICE_TOLERANCE * longest) / (1 - Math.min(utilization, 0.9));
  return excess >= LEAST_OF_PREDICTED * predicted && excess <= most;
}

/** How busy the slow route keeps the lane; missing when nothing tells. */
function laneAt(row: StepRow, pair: Pair, input: DiagnosisInput, occupied: boolean): Lane | undefined {
  const throughput = throughputOf(row, pair.slow, input);
  if (throughput === undefined) {
    const cpu = row.utilizationRatio['cpu'];
    return cpu === undefined ? undefined : { busyRatio: cpu, source: "the process's CPU" };
  }
  const isolated = input.isolation?.routes.find(({ route }) => route === pair.slow);
  if (isolated === undefined || occupied) {
    return { busyRatio: throughput * pair.serviceSeconds, source: 'X·S of the route' };
  }
  return { busyRatio: throughput * isolated.serviceDemandSeconds, source: 'X·D of the route alone' };
}

function waitsElsewhere(row: StepRow, pair: Pair, input: DiagnosisInput): boolean {
  const cpu = row.utilizationRatio['cpu'];
  const throughput = throughputOf(row, pair.slow, input);
  if (cpu === undefined || throughput === undefined) return false;
  return cpu * (row.serverCount['cpu'] ?? 1) < OCCUPIES * throughput * pair.serviceSeconds;
}
