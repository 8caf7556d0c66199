import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { loadText, percentText } from '../../stats/wording.ts';
import { GENERATOR_LIMIT_RATIO, generatorStrain, missingUsers } from './generator-limit.ts';
import type { DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A resource of the service above this share is a limit of its own. */
const SERVICE_BUSY_RATIO = 0.85;

/**
 * The generator, not the service, sets the highest throughput: at that step it is at its limit (80 % of its
 * cores) or sends late; users missing from the law (X(R+Z) ≠ N) support it. A service that is itself at a limit
 * speaks against it.
 */
export const generatorBound: DiagnosisRule = {
  id: 'generator-bound',
  examine: ({ rows }) => {
    const busiest = rows.reduce<StepRow | undefined>(
      (best, row) => (best === undefined || row.throughputPerSecond > best.throughputPerSecond ? row : best),
      undefined,
    );
    if (busiest === undefined) return [];
    const strain = generatorStrain(busiest).filter(isAtLimit);
    // A residual of Little's law alone is a step that was not steady; it only supports what the generator shows.
    return strain.length === 0 ? [] : [findingOf(busiest, [...strain, ...missingUsers(busiest)])];
  },
};

const isAtLimit = ({ quantity, value }: Evidence): boolean =>
  quantity !== 'generator.utilizationRatio' || value >= GENERATOR_LIMIT_RATIO;

function findingOf(busiest: StepRow, evidence: readonly Evidence[]): Finding {
  const cpu = busiest.utilizationRatio['cpu'];
  const serviceBusy = cpu !== undefined && cpu >= SERVICE_BUSY_RATIO;
  const idle = cpu === undefined || serviceBusy ? [] : [cpuEvidence(busiest, cpu, 'the service had room:')];
  const saturated = evidence.some(({ quantity }) => quantity === 'generator.utilizationRatio');
  return {
    ruleId: 'generator-bound',
    claim: `the highest throughput, at ${loadText(busiest)}, is the generator's and not the service's`,
    confidence: serviceBusy ? 'low' : saturated || evidence.length > 1 ? 'high' : 'medium',
    resource: 'generator',
    evidence: [...evidence, ...idle],
    counterEvidence: serviceBusy ? [cpuEvidence(busiest, cpu, 'the service was busy too:')] : [],
    nextExperiment: 'a second generator: if throughput rises, the first one was the limit',
  };
}

const cpuEvidence = (row: StepRow, cpu: number, words: string): Evidence =>
  stepEvidence(row, 'utilizationRatio.cpu', cpu, 'ratio', `${words} CPU ${percentText(cpu)}`);
