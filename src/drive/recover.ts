import type { LoadPlan } from '../model/load.ts';
import type { Frame, StepMeasurement } from '../model/measurement.ts';
import { type CounterSample, toSeries } from './counter-log.ts';
import { measureStep } from './step-measurement.ts';

/**
 * The step measurements that stored frames and counter samples add up to. Steps whose window never opened are
 * missing; one whose window is shorter than planned carries `endedEarly`.
 */
export function measurementsFromFrames(
  plan: LoadPlan,
  segments: readonly { readonly frame: Frame; readonly sample: CounterSample }[],
  endedEarly: string,
): readonly StepMeasurement[] {
  return plan.steps.flatMap((step) => {
    const indexes = segments.flatMap((s, i) =>
      s.frame.stepIndex === step.index && s.frame.phase === 'measure' ? [i] : [],
    );
    const first = indexes[0];
    if (first === undefined) return [];
    const frames = indexes.map((i) => segments[i]!.frame);
    // The sample that closed the warm-up opens the window.
    const samples = [
      ...(first > 0 ? [segments[first - 1]!.sample] : []),
      ...indexes.map((i) => segments[i]!.sample),
    ];
    const windowSeconds = frames.at(-1)!.endedAtSeconds - frames[0]!.startedAtSeconds;
    const isWhole = windowSeconds > step.measureSeconds - 0.5;
    return [measureStep(step, frames, toSeries(samples), isWhole ? undefined : endedEarly)];
  });
}
