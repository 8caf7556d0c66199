import { z } from 'zod';
import type { RunManifest, RunRecord } from '../../model/record.ts';
import type { Agrees } from './agreement.ts';
import { guessSchema, scoredGuessSchema } from './guess.ts';
import { analysisSchema, isolationSchema, confirmationSchema, remedyOptionSchema } from './analysis.ts';
import { importedRunSchema } from './imported.ts';
import { runTotalsSchema, stepMeasurementSchema } from './measurement.ts';
import { loadPlanSchema } from './plan.ts';
import { amount, count, notices, number, share, text } from './primitives.ts';
import { shapeResultSchema } from './shape-result.ts';
import { targetSchema, verdictSchema } from './verdict.ts';
import { workloadSchema } from './workload.ts';

/** The machine and the versions of a run. */
export const environmentSchema = z.object({
  shiploadVersion: text,
  nodeVersion: text,
  platform: text,
  cpuModel: text,
  machineCoreCount: count,
  usableCoreCount: amount,
  memoryBytes: amount,
  pinning: z
    .object({ generatorCores: z.array(count), serviceCores: z.array(count).exactOptional() })
    .exactOptional(),
});

/** A machine that made a part of the load. */
export const agentSchema = z.object({
  name: text,
  nodeVersion: text,
  platform: text,
  coreCount: amount,
  proof: text,
  clockUncertaintySeconds: amount,
  clockDriftSeconds: amount,
  wallClockOffsetSeconds: number,
  startLateSeconds: number.exactOptional(),
  eventCount: count,
  sentCount: count,
  isWhole: z.boolean(),
  lost: z.object({ atSeconds: number, reason: text }).exactOptional(),
});

/** How the service was reached and watched. */
export const serviceSchema = z.object({
  url: text,
  startCommand: text.exactOptional(),
  pid: count.exactOptional(),
  serverCount: amount.exactOptional(),
  serverCountSource: text.exactOptional(),
  sameHost: z.boolean(),
  proof: text.exactOptional(),
});

export const runState = z.enum([
  'running',
  'completed',
  'interrupted',
  'service-gone',
  'too-many-errors',
  'agent-lost',
]);

/** `run.json` of a run folder. */
export const runManifestSchema = z
  .object({
    kind: z.literal('run'),
    schemaVersion: z.literal(1),
    label: text,
    startedAt: text,
    state: runState,
    command: z.array(text),
    plan: loadPlanSchema,
    service: serviceSchema,
    targets: z.array(targetSchema),
    marginRatio: share,
    peakLoad: amount.exactOptional(),
    guess: guessSchema.exactOptional(),
    environment: environmentSchema,
    agents: z.array(agentSchema).exactOptional(),
  })
  .meta({ title: 'Run manifest', description: 'What was run: enough for another engineer to run it again.' });

/** `record.json` of a run folder. */
export const runRecordSchema = z
  .object({
    manifest: runManifestSchema,
    workload: workloadSchema.exactOptional(),
    imported: importedRunSchema.exactOptional(),
    measurements: z.array(stepMeasurementSchema),
    totals: runTotalsSchema.exactOptional(),
    shapeResult: shapeResultSchema.exactOptional(),
    analysis: analysisSchema,
    verdict: verdictSchema,
    isolation: isolationSchema.exactOptional(),
    options: z.array(remedyOptionSchema).exactOptional(),
    guesses: z.array(scoredGuessSchema).exactOptional(),
    confirmations: z.array(confirmationSchema).exactOptional(),
    planNotices: notices.exactOptional(),
    limits: z.array(text),
  })
  .meta({ title: 'Run record', description: 'Everything of one run, the measurements included.' });

true satisfies Agrees<z.infer<typeof runManifestSchema>, RunManifest>;
true satisfies Agrees<z.infer<typeof runRecordSchema>, RunRecord>;
