import { z } from 'zod';
import type { Guess, ScoredGuess } from '../../model/guess.ts';
import type { Agrees } from './agreement.ts';
import { amount, number, text } from './primitives.ts';

/** A person's guesses before a run. */
export const guessSchema = z.object({
  text,
  peakPerSecond: amount.exactOptional(),
  crossing: z
    .object({
      percentile: z.enum(['p50', 'p95', 'p99']),
      route: text.exactOptional(),
      limitSeconds: amount,
      load: amount,
    })
    .exactOptional(),
  firstResource: text.exactOptional(),
});

/** A guess beside what was measured. */
export const scoredGuessSchema = z.object({
  quantity: text,
  unit: z.enum(['perSecond', 'users', 'resource']),
  guessed: z.union([number, text]),
  measured: z.union([number, text]).exactOptional(),
  errorRatio: number.exactOptional(),
  note: text,
});

true satisfies Agrees<z.infer<typeof guessSchema>, Guess>;
true satisfies Agrees<z.infer<typeof scoredGuessSchema>, ScoredGuess>;
