import { z } from 'zod';
import type { Check, Target, Verdict } from '../../model/verdict.ts';
import type { Agrees } from './agreement.ts';
import { amount, count, interval, number, share, text } from './primitives.ts';

/** A parsed target. */
export const targetSchema = z.object({
  text,
  metric: z.union([
    z.templateLiteral(['p', z.number()]),
    z.enum(['mean', 'max', 'throughput', 'errors', 'errorRatio', 'cpu']),
  ]),
  route: text.exactOptional(),
  comparison: z.enum(['<=', '>=', '=']),
  limit: number,
  load: amount.exactOptional(),
  loadKind: z.enum(['users', 'concurrency', 'arrivalRatePerSecond']).exactOptional(),
});

/** A check without its target, which a record and a report hold differently. */
export const checkFigures = z.object({
  observed: number.exactOptional(),
  interval: interval.exactOptional(),
  neededForPass: number,
  stepIndex: count.exactOptional(),
  result: z.enum(['pass', 'fail', 'no-margin', 'inconclusive']),
  reason: text,
});

const check = checkFigures.extend({ target: targetSchema });

export const decision = z.enum(['pass', 'fail', 'no-margin', 'inconclusive', 'invalid', 'not-judged']);

/** The decision with its checks. */
export const verdictSchema = z.object({
  checks: z.array(check),
  decision,
  marginRatio: share,
  reason: text,
});

true satisfies Agrees<z.infer<typeof targetSchema>, Target>;
true satisfies Agrees<z.infer<typeof check>, Check>;
true satisfies Agrees<z.infer<typeof verdictSchema>, Verdict>;
