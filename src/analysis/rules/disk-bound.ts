import { doubledLoad } from './pool-bound.ts';
import { findPlateau, plateauClaim } from './plateau.ts';
import { deviceOf } from './plateau-device.ts';
import type { DiagnosisRule } from './rule.ts';

/**
 * Throughput levels off with CPU to spare while the disk is busy (see `deviceOf`) and the process itself
 * reads or writes at every request: each waits for the disk. The disk's use is the whole machine's, so that what
 * others write speaks too: the run on a memory disk decides.
 */
export const diskBound: DiagnosisRule = {
  id: 'disk-bound',
  examine: (input) => {
    const plateau = findPlateau(input, true);
    const busy = plateau === undefined ? undefined : deviceOf(plateau, input);
    if (plateau === undefined || busy === undefined) return [];
    return [
      {
        ruleId: 'disk-bound',
        claim: `${plateauClaim(plateau)} and requests wait for the disk, which each of them reads or writes`,
        confidence: plateau.isSure && busy.isSure ? 'high' : 'medium',
        resource: 'disk',
        evidence: [...busy.evidence, ...plateau.evidence],
        counterEvidence: [],
        nextExperiment: 'the same step with the data in memory (tmpfs): if throughput rises, it was the disk',
        experiment: doubledLoad(plateau.steps.at(-1)!.index),
      },
    ];
  },
};
