import { ShiploadError } from '../../errors.ts';
import type { ReportedStep } from '../../model/imported.ts';
import type { GivenLoad } from './result-format.ts';

/** A step at the load that was given for it. */
export function withLoad(step: ReportedStep, { kind, values }: GivenLoad, index: number): ReportedStep {
  return {
    ...step,
    load: { kind, value: values[index]!, source: 'given' },
    notices: step.notices.filter(({ code }) => code !== 'load-estimated'),
  };
}

/** Throws `option-invalid` where more or fewer loads were given than the file `name` has steps. */
export function requireLoads({ values }: GivenLoad, stepCount: number, name: string): void {
  if (values.length === stepCount) return;
  throw new ShiploadError(
    'option-invalid',
    `${values.length} loads were given for ${stepCount} step(s) of ${name}`,
    {
      where: name,
      hint: 'Give one for each step, in their order, or none.',
    },
  );
}
