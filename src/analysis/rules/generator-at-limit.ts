import { loadText } from '../../stats/wording.ts';
import { GENERATOR_LIMIT_RATIO, generatorStrain } from './generator-limit.ts';
import type { DiagnosisRule } from './rule.ts';

/** Red flag: a generator near or at its limit measures itself. From 70 % of its cores, or when it sends late. */
export const generatorAtLimit: DiagnosisRule = {
  id: 'generator-at-limit',
  examine: ({ rows }) => {
    const strained = rows.filter((row) => generatorStrain(row).length > 0);
    if (strained.length === 0) return [];
    const evidence = strained.flatMap(generatorStrain);
    const atLimit = evidence.some(
      ({ quantity, value }) => quantity !== 'generator.utilizationRatio' || value >= GENERATOR_LIMIT_RATIO,
    );
    return [
      {
        ruleId: 'generator-at-limit',
        claim: `the generator is ${atLimit ? 'at' : 'near'} its limit from ${loadText(strained[0]!)} on: response times there include its own waiting`,
        confidence: atLimit ? 'high' : 'medium',
        resource: 'generator',
        evidence,
        counterEvidence: [],
        nextExperiment: 'the same step with --generators 2, or with the generator on another machine',
      },
    ];
  },
};
