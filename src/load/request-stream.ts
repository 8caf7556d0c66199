import type { PlannedRequest } from '../model/load.ts';
import type { TargetSet } from '../model/workload.ts';
import { type Random, weightedSampler } from '../stats/random.ts';

/**
 * Draws what is sent next: the class by its weight, the target by the log's own popularity. The result is
 * left in two fields, so that a draw allocates nothing; the random stream belongs to the caller (one per
 * user), so that what a user does depends on the seed alone and not on who was faster.
 */
export class RequestStream {
  requestIndex = 0;
  target = '';

  #drawRequest: (random: Random) => number;
  readonly #drawTargets: readonly ((random: Random) => string)[];

  /** Throws a RangeError when there is no request with a positive weight, or a target set is empty. */
  constructor(requests: readonly PlannedRequest[]) {
    this.#drawRequest = weightedSampler(requests.map((request) => request.shareRatio));
    this.#drawTargets = requests.map((request) => targetSampler(request.targets));
  }

  /** Draws classes by these weights from now on; targets as before. */
  setShares(shares: readonly number[]): void {
    this.#drawRequest = weightedSampler(shares);
  }

  draw(random: Random): void {
    this.requestIndex = this.#drawRequest(random);
    this.target = this.#drawTargets[this.requestIndex]!(random);
  }
}

/** Draws whole targets: every one alike, or in proportion to how often the log has them. */
function targetSampler(set: TargetSet): (random: Random) => string {
  const { targets, counts } = set;
  if (targets.length === 0) throw new RangeError('a request class without targets cannot be sent');
  if (targets.length === 1) return () => targets[0]!;
  if (counts === undefined) return (random) => targets[Math.floor(random.next() * targets.length)]!;
  const draw = weightedSampler(counts);
  return (random) => targets[draw(random)]!;
}
