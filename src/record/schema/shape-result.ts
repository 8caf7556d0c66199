import { z } from 'zod';
import type { ShapeResult } from '../../model/shape-result.ts';
import type { Agrees } from './agreement.ts';
import { amount, count, share, text } from './primitives.ts';

const searchResult = z.object({
  kind: z.literal('search'),
  trials: z.array(
    z.object({
      load: amount,
      stepCount: count,
      passes: z.boolean(),
      passProbability: share,
      blocked: text.exactOptional(),
    }),
  ),
  highestPassing: amount.exactOptional(),
  lowestFailing: amount.exactOptional(),
  borderLow: amount.exactOptional(),
  borderHigh: amount.exactOptional(),
  confidenceRatio: share.exactOptional(),
  isNarrow: z.boolean(),
  reason: text,
});

const stressResult = z.object({
  kind: z.literal('stress'),
  brokenAt: amount.exactOptional(),
  highestHeld: amount.exactOptional(),
  reason: text,
});

const spikeResult = z.object({
  kind: z.literal('spike'),
  recovered: z.boolean(),
  recoveredAfterSeconds: amount.exactOptional(),
  observedSeconds: amount,
  drainedAfterSeconds: amount.exactOptional(),
  expectedDrainSeconds: amount.exactOptional(),
  capacityPerSecond: amount.exactOptional(),
  baselineP95Seconds: amount.exactOptional(),
  worstP95Seconds: amount.exactOptional(),
  lostCount: amount.exactOptional(),
  waitingCount: amount.exactOptional(),
  metastable: z.boolean(),
  reason: text,
});

const writeCostResult = z.object({
  kind: z.literal('write-cost'),
  mixes: z.array(
    z.object({
      writeRatio: share,
      measuredWriteRatio: share,
      load: amount,
      throughputPerSecond: amount,
      serviceDemandSeconds: amount.exactOptional(),
    }),
  ),
  readDemandSeconds: amount.exactOptional(),
  writeDemandSeconds: amount.exactOptional(),
  costRatio: amount.exactOptional(),
  basis: z.enum(['demand', 'throughput']),
  reason: text,
});

/** What a run's shape set out to find. */
export const shapeResultSchema = z.discriminatedUnion('kind', [
  searchResult,
  stressResult,
  spikeResult,
  writeCostResult,
]);

true satisfies Agrees<z.infer<typeof shapeResultSchema>, ShapeResult>;
