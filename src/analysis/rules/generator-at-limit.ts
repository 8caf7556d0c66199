import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { loadText } from '../../stats/wording.ts';
import { busyMachine, GENERATOR_LIMIT_RATIO, generatorStrain } from './generator-limit.ts';
import type { DiagnosisRule } from './rule.ts';

/**
 * Red flag: a generator near or at its limit measures itself. From 70 % of its cores, or when it sends late.
 * Late sends of a generator with CPU to spare are laid at the machine's door where that is too busy.
 */
export const generatorAtLimit: DiagnosisRule = {
  id: 'generator-at-limit',
  examine: ({ rows }) => {
    const strained = rows.filter((row) => generatorStrain(row).length > 0);
    const starved = strained.filter(isStarved);
    const own = strained.filter((row) => !starved.includes(row));
    return [...ownLimit(own), ...machineLimit(starved)];
  },
};

const isCpu = ({ quantity }: Evidence): boolean => quantity === 'generator.utilizationRatio';

const isStarved = (row: StepRow): boolean => !generatorStrain(row).some(isCpu) && busyMachine(row).length > 0;

function ownLimit(strained: readonly StepRow[]): Finding[] {
  if (strained.length === 0) return [];
  const evidence = strained.flatMap(generatorStrain);
  const saturated = evidence.some((one) => isCpu(one) && one.value >= GENERATOR_LIMIT_RATIO);
  const atLimit = saturated || !evidence.every(isCpu);
  return [
    {
      ruleId: 'generator-at-limit',
      claim: `the generator is ${atLimit ? 'at' : 'near'} its limit from ${loadText(strained[0]!)} on: response times there include its own waiting`,
      confidence: saturated ? 'high' : 'medium',
      resource: 'generator',
      evidence,
      counterEvidence: [],
      nextExperiment: 'the same step with the generator on another machine or with more cores for it',
    },
  ];
}

function machineLimit(starved: readonly StepRow[]): Finding[] {
  if (starved.length === 0) return [];
  return [
    {
      ruleId: 'generator-at-limit',
      claim: `the machine is too busy for the generator to send on time from ${loadText(starved[0]!)} on: response times there include that waiting`,
      confidence: 'medium',
      resource: 'machineCpu',
      evidence: starved.flatMap((row) => [...generatorStrain(row), ...busyMachine(row)]),
      counterEvidence: [],
      nextExperiment:
        'stop what else runs on the machine, or move the generator to another one, and run again',
    },
  ];
}
