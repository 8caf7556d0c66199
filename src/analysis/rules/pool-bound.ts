import type { Experiment } from '../../model/analysis.ts';
import { ownPoolFigures } from './own-figures.ts';
import { findPlateau, plateauClaim, servedText } from './plateau.ts';
import { deviceOf } from './plateau-device.ts';
import type { DiagnosisRule } from './rule.ts';

/** Fewer are one: a lock, not a pool. */
export const POOL_LEAST = 1.5;

/**
 * A limit that is no CPU: throughput levels off while the process has CPU to spare, and response time grows with
 * the load. The requests served at once, X·R₀, are the size of a pool, where the wait in it is all of R₀. One at a
 * time is a lock; a plateau at which a disk or another service is busy is theirs.
 */
export const poolBound: DiagnosisRule = {
  id: 'pool-bound',
  examine: (input) => {
    const plateau = findPlateau(input);
    if (plateau === undefined || plateau.servedAtOnce < POOL_LEAST) return [];
    if (deviceOf(plateau, input) !== undefined) return [];
    return [
      {
        ruleId: 'pool-bound',
        claim: `${plateauClaim(plateau)}: ${servedText(plateau)}, the others wait for a place`,
        confidence: plateau.isSure ? 'high' : 'medium',
        resource: 'pool',
        evidence: [...plateau.evidence, ...ownPoolFigures(plateau.steps, input)],
        counterEvidence: [],
        nextExperiment:
          'twice the places (connections, threads, permits): if throughput doubles, it is the pool',
        experiment: doubledLoad(plateau.steps.at(-1)!.index),
      },
    ];
  },
};

/** Beyond a full pool or lock twice the users bring no throughput, and wait for twice as long. */
export const doubledLoad = (stepIndex: number): Experiment => ({
  kind: 'double-load',
  stepIndex,
  reads: { quantity: 'throughputPerSecond' },
  supports: { atMost: 1.15 },
  refutes: { atLeast: 1.4 },
});
