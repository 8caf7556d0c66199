import { z } from 'zod';
import type { LoadPlan, Step } from '../../model/load.ts';
import type { Agrees } from './agreement.ts';
import { amount, count, distribution, number, share, text } from './primitives.ts';
import { targetSet } from './workload.ts';

const driver = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed'), users: amount }),
  z.object({
    kind: z.literal('open'),
    arrivalRatePerSecond: amount,
    arrivals: z.enum(['poisson', 'constant', 'log']),
    maxInFlight: count,
  }),
]);

/** One step of a plan. */
export const stepSchema = z.object({
  index: count,
  label: text,
  part: z.object({ name: text, isTransient: z.literal(true).exactOptional() }).exactOptional(),
  driver,
  writeRatio: share.exactOptional(),
  restSeconds: amount.exactOptional(),
  warmupSeconds: amount,
  measureSeconds: amount,
});

const plannedRequest = z.object({
  id: text,
  method: text,
  route: text,
  shareRatio: share,
  targets: targetSet,
  headers: z.record(text, text).exactOptional(),
  body: text.exactOptional(),
});

const transport = z.object({
  httpVersion: z.enum(['1.1', '2']).exactOptional(),
  streamsPerConnection: count.exactOptional(),
  requestsPerConnection: count.exactOptional(),
  maxRedirects: count.exactOptional(),
  connectTimeoutSeconds: amount.exactOptional(),
  firstByteTimeoutSeconds: amount.exactOptional(),
  tlsUnverified: z.boolean().exactOptional(),
});
/** How a plan goes on when its steps are done. */
export const growthSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('search'),
    precisionRatio: share,
    confidenceRatio: share,
    longestRepeat: count,
    highestLoad: amount,
    mostSteps: count,
  }),
  z.object({
    kind: z.literal('stress'),
    errorLimitRatio: share,
    responseLimitSeconds: amount,
    highestLoad: amount,
  }),
  z.object({ kind: z.literal('extend'), highestLoad: amount }),
]);

/** All that the driver needs. */
export const loadPlanSchema = z.object({
  seed: number,
  shape: text,
  requests: z.array(plannedRequest),
  thinkTimeSeconds: distribution.exactOptional(),
  usersPerSecond: amount.exactOptional(),
  requestTimeoutSeconds: amount,
  transport: transport.exactOptional(),
  steps: z.array(stepSchema),
  growth: growthSchema.exactOptional(),
  writeId: text.exactOptional(),
  speedFactor: amount.exactOptional(),
  safety: z
    .object({
      maxUsers: count,
      maxRatePerSecond: amount,
      stopOnErrors: z.object({ ratio: share, seconds: amount }).exactOptional(),
    })
    .exactOptional(),
});

true satisfies Agrees<z.infer<typeof stepSchema>, Step>;
true satisfies Agrees<z.infer<typeof loadPlanSchema>, LoadPlan>;
