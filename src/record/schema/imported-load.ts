import { z } from 'zod';
import type { ImportedLoad } from '../../model/imported.ts';
import type { Agrees } from './agreement.ts';
import { amount } from './primitives.ts';

/** The load of a step of another tool's run. */
export const importedLoadSchema = z.object({
  kind: z.enum(['users', 'concurrency', 'arrivalRatePerSecond']),
  value: amount,
  source: z.enum(['reported', 'given', 'estimated']),
});

true satisfies Agrees<z.infer<typeof importedLoadSchema>, ImportedLoad>;
