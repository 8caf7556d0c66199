import { ShiploadError } from '../errors.ts';
import type { LoadPlan, PlannedRequest, Step } from '../model/load.ts';
import { percentText } from '../stats/wording.ts';

/** A request that writes, and the shares of it to run with. */
export interface WriteMixOptions {
  readonly request: PlannedRequest;
  readonly ratios: readonly number[];
}

/**
 * The weights of a plan's requests in a step: those of the plan, or with the step's share of writes, the other
 * requests keeping their proportions.
 */
export function sharesOf(
  { requests, writeId }: Pick<LoadPlan, 'requests' | 'writeId'>,
  step: Step,
): readonly number[] {
  const { writeRatio } = step;
  const reads = requests.reduce((sum, { id, shareRatio }) => (id === writeId ? sum : sum + shareRatio), 0);
  return requests.map(({ id, shareRatio }) => {
    if (writeRatio === undefined) return shareRatio;
    return id === writeId ? writeRatio : (shareRatio / reads) * (1 - writeRatio);
  });
}

/** The plan with a write beside its requests: its steps once for each share of writes, one sweep after the other. */
export function withWrites(plan: LoadPlan, { request, ratios }: WriteMixOptions): LoadPlan {
  if (plan.requests.some(({ id }) => id === request.id)) {
    throw new ShiploadError('option-invalid', `${request.id} is already among what is read`, {
      where: '--write',
    });
  }
  if (plan.growth !== undefined || plan.shape === 'spike') {
    throw new ShiploadError(
      'option-invalid',
      `the shape ${plan.shape} is not swept for each share of writes`,
      {
        where: '--write',
        hint: 'It goes with steps, sweep, rate and ramp, without --extend.',
      },
    );
  }
  const first = ratios[0]!;
  return {
    ...plan,
    writeId: request.id,
    requests: [
      ...plan.requests.map((read) => ({ ...read, shareRatio: read.shareRatio * (1 - first) })),
      { ...request, shareRatio: first },
    ],
    steps: ratios.flatMap((writeRatio, mix) =>
      plan.steps.map((step) => ({
        ...step,
        index: mix * plan.steps.length + step.index,
        label: `${percentText(writeRatio)} writes, ${step.label}`,
        writeRatio,
      })),
    ),
  };
}
