import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { loadText, percentText } from '../../stats/wording.ts';
import { littleTolerance } from '../validity.ts';
import { busyMachine, GENERATOR_LIMIT_RATIO, generatorStrain, missingUsers } from './generator-limit.ts';
import type { DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A resource of the service above this share is a limit of its own. */
const SERVICE_BUSY_RATIO = 0.85;

/**
 * The generator, not the service, sets the highest throughput: at that step it is at its limit (80 % of its
 * cores) or sends late though the machine has room (in an open step: so late that arrivals are missing); users missing from the law (X(R+Z) ≠ N) support it. A service
 * that is itself at a limit speaks against it. Not claimed where the users' think time sets the throughput.
 */
export const generatorBound: DiagnosisRule = {
  id: 'generator-bound',
  examine: ({ rows }) => {
    const busiest = rows.reduce<StepRow | undefined>(
      (best, row) => (best === undefined || row.throughputPerSecond > best.throughputPerSecond ? row : best),
      undefined,
    );
    if (busiest === undefined) return [];
    const strain = strainOf(busiest);
    if (isThinkTimeBound(busiest, rows)) return [];
    // A residual of Little's law alone is a step that was not steady; it only supports what the generator shows.
    return strain.length === 0 ? [] : [findingOf(busiest, [...strain, ...missingUsers(busiest)])];
  },
};

function strainOf(row: StepRow): readonly Evidence[] {
  const strain = generatorStrain(row).filter(isAtLimit);
  const isItsOwn = busyMachine(row).length === 0 && !keptItsArrivals(row);
  return strain.some(isCpu) || isItsOwn ? strain : [];
}

/**
 * Whether all arrivals of an open step came. Throughput below the rate is then of requests that failed or were
 * dropped because answers were awaited: sends that were some milliseconds late took nothing from it.
 */
const keptItsArrivals = ({ arrivalRatePerSecond, notices }: StepRow): boolean =>
  arrivalRatePerSecond !== undefined && !notices.some(({ code }) => code === 'load-not-reached');

/**
 * Whether the step's throughput is all that its users can make, X ≥ N/(R+Z) within the tolerance of the law,
 * while the service has room. A generator at its limit adds its own waiting to R: the lowest R of any step then
 * stands in. False where a term is missing or there is no think time.
 */
function isThinkTimeBound(row: StepRow, rows: readonly StepRow[]): boolean {
  const { users, thinkTimeSeconds = 0, responseTimeSeconds, throughputPerSecond } = row;
  if (users === undefined || responseTimeSeconds === undefined || thinkTimeSeconds <= 0) return false;
  if ((row.utilizationRatio['cpu'] ?? 0) >= SERVICE_BUSY_RATIO) return false;
  const lowest = Math.min(...rows.map((one) => one.responseTimeSeconds ?? Infinity));
  const cycleSeconds = thinkTimeSeconds + (strainOf(row).some(isCpu) ? lowest : responseTimeSeconds);
  const tolerance = littleTolerance(users, row.completionCount ?? Infinity);
  return throughputPerSecond * cycleSeconds >= (1 - tolerance) * users;
}

const isCpu = ({ quantity }: Evidence): boolean => quantity === 'generator.utilizationRatio';

const isAtLimit = (evidence: Evidence): boolean =>
  !isCpu(evidence) || evidence.value >= GENERATOR_LIMIT_RATIO;

function findingOf(busiest: StepRow, evidence: readonly Evidence[]): Finding {
  const cpu = busiest.utilizationRatio['cpu'];
  const serviceBusy = cpu !== undefined && cpu >= SERVICE_BUSY_RATIO;
  const idle = cpu === undefined || serviceBusy ? [] : [cpuEvidence(busiest, cpu, 'the service had room:')];
  const saturated = evidence.some(isCpu);
  return {
    ruleId: 'generator-bound',
    claim: `the highest throughput, at ${loadText(busiest)}, is the generator's and not the service's`,
    confidence: serviceBusy ? 'low' : saturated || evidence.length > 1 ? 'high' : 'medium',
    resource: 'generator',
    evidence: [...evidence, ...idle],
    counterEvidence: serviceBusy ? [cpuEvidence(busiest, cpu, 'the service was busy too:')] : [],
    nextExperiment:
      'the generator on another machine or with more cores: if throughput rises, it was the limit',
  };
}

const cpuEvidence = (row: StepRow, cpu: number, words: string): Evidence =>
  stepEvidence(row, 'utilizationRatio.cpu', cpu, 'ratio', `${words} CPU ${percentText(cpu)}`);
