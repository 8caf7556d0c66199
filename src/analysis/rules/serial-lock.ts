import { figure } from '../../stats/wording.ts';
import { ownLockFigures } from './own-figures.ts';
import { doubledLoad, POOL_LEAST } from './pool-bound.ts';
import { findPlateau, plateauClaim } from './plateau.ts';
import { deviceOf } from './plateau-device.ts';
import type { DiagnosisRule } from './rule.ts';

/**
 * One at a time: throughput levels off at 1/S while the CPU idles, and X·R₀ on the plateau is about one request, so
 * that S, the time the lock is held, is nearly all of R₀. Where the lock is held for a part of R₀ only, X·R₀ is
 * larger and looks like a small pool.
 */
export const serialLock: DiagnosisRule = {
  id: 'serial-lock',
  examine: (input) => {
    const plateau = findPlateau(input);
    if (plateau === undefined || plateau.servedAtOnce >= POOL_LEAST) return [];
    if (deviceOf(plateau, input) !== undefined) return [];
    const routes = plateau.waitingRoutes.length === 0 ? 'requests' : plateau.waitingRoutes.join(', ');
    return [
      {
        ruleId: 'serial-lock',
        claim: `${plateauClaim(plateau)}: ${routes} ${plateau.waitingRoutes.length === 1 ? 'is' : 'are'} served one at a time (X·R₀ = ${figure(plateau.servedAtOnce)}), as behind a lock`,
        confidence: plateau.isSure ? 'high' : 'medium',
        resource: 'lock',
        ...(plateau.waitingRoutes.length === 1 && { route: plateau.waitingRoutes[0]! }),
        evidence: [...plateau.evidence, ...ownLockFigures(plateau.steps, input)],
        counterEvidence: [],
        nextExperiment: 'hold the lock for half as long, or take it for half the requests: X should double',
        experiment: doubledLoad(plateau.steps.at(-1)!.index),
      },
    ];
  },
};
