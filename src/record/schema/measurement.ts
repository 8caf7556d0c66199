import { z } from 'zod';
import type { Frame, RunTotals, StepMeasurement } from '../../model/measurement.ts';
import type { Agrees } from './agreement.ts';
import { importedLoadSchema } from './imported-load.ts';
import { stepSchema } from './plan.ts';
import { amount, count, histogram, notices, number, text } from './primitives.ts';

const routeMeasurement = z.object({
  requestClassId: text,
  route: text,
  sentCount: count,
  okCount: count,
  errorCount: count,
  timeoutCount: count,
  droppedCount: count,
  receivedBytes: amount.exactOptional(),
  responseTime: histogram,
  sendToReplyTime: histogram,
  failureTime: histogram,
});

const interference = z.object({
  route: text,
  otherRoute: text,
  withOther: histogram,
  withoutOther: histogram,
});

const workerHealth = z.object({
  name: text,
  cpuSeconds: amount,
  utilizationRatio: amount,
  scheduleLag: histogram,
  eventLoopDelayMaxSeconds: amount,
});

const generatorHealth = z.object({
  cpuSeconds: amount,
  coreCount: amount,
  utilizationRatio: amount,
  scheduleLag: histogram,
  eventLoopDelayMaxSeconds: amount,
  workers: z.array(workerHealth).exactOptional(),
});

const counterSeries = z.object({
  source: text,
  quantity: text,
  unit: z.enum(['seconds', 'bytes', 'count', 'ratio', 'perSecond']),
  kind: z.enum(['gauge', 'cumulative']),
  capacity: number.exactOptional(),
  label: text.exactOptional(),
  points: z.array(z.tuple([number, number]).readonly()),
});

const slice = z.object({
  atSeconds: number,
  durationSeconds: amount,
  okCount: count,
  errorCount: count,
  timeoutCount: count,
  meanInFlight: amount,
  offeredCount: count.exactOptional(),
  meanResponseTimeSeconds: amount.exactOptional(),
  p95ResponseTimeSeconds: amount.exactOptional(),
});

const transport = z.object({
  connectionsOpenedCount: count,
  redirectsFollowedCount: count,
  connectTime: histogram,
  heldCount: count.exactOptional(),
});

const countByName = z.record(text, count);

/** How often a check on answers passed. */
export const checkCountSchema = z.object({ name: text, passedCount: count, failedCount: count });

/** A journey or a group, but for how long it took. */
export const partCounts = z.object({
  name: text,
  kind: z.enum(['journey', 'group']),
  endedCount: count,
  failedCount: count,
  failedCheckCount: count.exactOptional(),
  brokeOffAfter: countByName.exactOptional(),
});

const scenario = z.object({
  parts: z.array(partCounts.extend({ duration: histogram })),
  checks: z.array(checkCountSchema),
});

/** What one generator recorded in a second. */
export const frameSchema = z.object({
  stepIndex: count,
  phase: z.enum(['warmup', 'measure', 'drain']),
  startedAtSeconds: number,
  endedAtSeconds: number,
  routes: z.array(routeMeasurement),
  errorCodes: countByName,
  statusCounts: countByName,
  inFlightSeconds: number,
  thinkingSeconds: number,
  thinkTimeSumSeconds: number,
  thinkTimeCount: count,
  retriedCount: count,
  connectionCount: count,
  transport: transport.exactOptional(),
  scenario: scenario.exactOptional(),
  interference: z.array(interference),
  answerGap: histogram.exactOptional(),
  generator: generatorHealth,
});

/** All counters at one moment. */
const counterSampleSchema = z.object({
  atSeconds: number,
  readings: z.array(
    z.object({
      source: text,
      quantity: text,
      unit: counterSeries.shape.unit,
      kind: counterSeries.shape.kind,
      capacity: number.exactOptional(),
      value: number,
    }),
  ),
});

/** A line of `segments.jsonl`. */
export const segmentSchema = z.object({ frame: frameSchema, sample: counterSampleSchema });

/** What one step measured over its window. */
export const stepMeasurementSchema = z.object({
  step: stepSchema,
  importedLoad: importedLoadSchema.exactOptional(),
  errorsUnknown: z.literal(true).exactOptional(),
  startedAtSeconds: number,
  windowSeconds: amount,
  completionCount: count,
  outcomeCounts: z.object({ ok: count, error: count, timeout: count, dropped: count }),
  errorCodes: countByName,
  statusCounts: countByName,
  responseTime: histogram,
  sendToReplyTime: histogram,
  byRoute: z.array(routeMeasurement),
  interference: z.array(interference),
  answerGap: histogram.exactOptional(),
  meanInFlight: amount,
  meanThinking: amount.exactOptional(),
  thinkTimeSeconds: amount.exactOptional(),
  retriedCount: count.exactOptional(),
  transport: transport.exactOptional(),
  scenario: scenario.exactOptional(),
  slices: z.array(slice),
  counters: z.array(counterSeries),
  generator: generatorHealth.exactOptional(),
  notices,
  endedEarly: text.exactOptional(),
});

const routeTotals = z.object({
  requestClassId: text,
  route: text,
  sentCount: count,
  answeredCount: count,
  okCount: count,
  errorCount: count,
  timeoutCount: count,
  droppedCount: count,
});

/** Whole-run counts. */
export const runTotalsSchema = z.object({
  byRoute: z.array(routeTotals),
  retriedCount: count,
  redirectsFollowedCount: count.exactOptional(),
});

true satisfies Agrees<z.infer<typeof stepMeasurementSchema>, StepMeasurement>;
true satisfies Agrees<z.infer<typeof runTotalsSchema>, RunTotals>;
true satisfies Agrees<z.infer<typeof frameSchema>, Frame>;
