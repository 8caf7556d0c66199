import { z } from 'zod';
import type { MachineCheckDocument } from '../../model/machine-check.ts';
import type {
  BrokerRunsDocument,
  ComparisonDocument,
  ExplanationDocument,
  IsolationDocument,
  PredictionDocument,
  ReportDocument,
} from '../../model/documents.ts';
import type { NoiseFloor } from '../../model/record.ts';
import type { Agrees } from './agreement.ts';
import { analysisSchema, confirmationSchema, isolationSchema, remedyOptionSchema } from './analysis.ts';
import { scoredGuessSchema } from './guess.ts';
import { importedSummarySchema } from './imported.ts';
import { checkCountSchema, partCounts } from './measurement.ts';
import { growthSchema, stepSchema } from './plan.ts';
import { amount, byName, count, interval, notices, number, share, text } from './primitives.ts';
import { shapeResultSchema } from './shape-result.ts';
import { agentSchema, environmentSchema, runState, serviceSchema } from './run.ts';
import { checkFigures, decision, targetSchema } from './verdict.ts';
import { windowSchema } from './workload.ts';

const planSummary = z.object({
  seed: number,
  shape: text,
  requests: z.array(
    z.object({ id: text, method: text, route: text, shareRatio: share, distinctTargetCount: count }),
  ),
  thinkTimeSeconds: z
    .object({ mean: amount, min: amount.exactOptional(), max: amount.exactOptional(), kind: text })
    .exactOptional(),
  usersPerSecond: amount.exactOptional(),
  requestTimeoutSeconds: amount,
  steps: z.array(stepSchema),
  growth: growthSchema.exactOptional(),
  writeId: text.exactOptional(),
  speedFactor: amount.exactOptional(),
});

const workloadSummary = z.object({
  files: z.array(text),
  format: text,
  window: windowSchema,
  requestCount: count,
  clientCount: count,
  spanSeconds: amount,
  throughputPerSecond: amount,
  busiestMinutePerSecond: amount,
  thinkTimeMeanSeconds: amount.exactOptional(),
  activeUsers: amount.exactOptional(),
});

const verdictDocument = z.object({
  checks: z.array(checkFigures.extend({ target: text, goal: targetSchema })),
  decision,
  marginRatio: share,
  reason: text,
});

const scenarioSummary = z.object({
  parts: z.array(
    partCounts.extend({
      p50Seconds: amount.exactOptional(),
      p95Seconds: amount.exactOptional(),
      p99Seconds: amount.exactOptional(),
    }),
  ),
  checks: z.array(checkCountSchema),
});

/** What `run`, `report` and `analyze` print with `--json`. */
export const reportSchema = analysisSchema
  .extend({
    kind: z.literal('report'),
    schemaVersion: z.literal(1),
    label: text,
    startedAt: text,
    state: runState,
    command: z.array(text),
    service: serviceSchema,
    environment: environmentSchema,
    agents: z.array(agentSchema).exactOptional(),
    peakLoad: amount.exactOptional(),
    plan: planSummary,
    workload: workloadSummary.exactOptional(),
    imported: importedSummarySchema.exactOptional(),
    shapeResult: shapeResultSchema.exactOptional(),
    scenario: scenarioSummary.exactOptional(),
    verdict: verdictDocument,
    isolation: isolationSchema.exactOptional(),
    options: z.array(remedyOptionSchema),
    guesses: z.array(scoredGuessSchema).exactOptional(),
    confirmations: z.array(confirmationSchema).exactOptional(),
    limits: z.array(text),
  })
  .meta({ title: 'Report', description: 'One run without its measurements; SI units.' });

/** What `isolate` prints with `--json`. */
export const isolationDocumentSchema = isolationSchema
  .extend({ kind: z.literal('isolation'), schemaVersion: z.literal(1) })
  .meta({ title: 'Isolation', description: 'Each route alone, with its demand and its share of the work.' });

const side = z.object({ label: text, runCount: count, decision });
const unit = z.enum(['seconds', 'perSecond', 'ratio', 'count', 'bytes', 'users']);

const metric = z.object({
  name: text,
  load: amount.exactOptional(),
  before: number,
  after: number,
  ratio: number.exactOptional(),
  interval: interval.exactOptional(),
  noiseFloorRatio: number.exactOptional(),
  unit,
  better: z.enum(['lower', 'higher']),
  verdict: z.enum(['changed', 'no change shown', 'indicative']),
});

/** What `run --repeat` stores beside the runs; read back by `compare`. */
export const noiseFloorSchema = z.object({
  kind: z.literal('noise-floor'),
  schemaVersion: z.literal(1),
  planHash: text,
  machine: text,
  runCount: count,
  ratios: byName,
});

const prediction = z.object({
  option: text,
  quantity: text,
  predicted: number,
  measured: number,
  unit,
  errorRatio: number.exactOptional(),
  limitRatio: amount.exactOptional(),
  outcome: z.enum(['kept', 'missed']).exactOptional(),
});

/** What `compare` prints with `--json`. */
export const comparisonDocumentSchema = z
  .object({
    kind: z.literal('comparison'),
    schemaVersion: z.literal(1),
    before: side,
    after: side,
    metrics: z.array(metric),
    kneeShift: z
      .object({
        before: amount.exactOptional(),
        beforeInterval: interval.exactOptional(),
        after: amount.exactOptional(),
        afterInterval: interval.exactOptional(),
        verdict: z.enum(['moved', 'not shown', 'unknown']),
        text,
      })
      .exactOptional(),
    predictions: z.array(prediction),
    regression: z.boolean(),
    notices,
  })
  .meta({ title: 'Comparison', description: 'Runs before and after a change; ratio is after / before.' });

const predictedStep = z.object({
  users: amount,
  throughputPerSecond: amount,
  responseTimeSeconds: amount,
  byRoute: byName,
  p95ByRoute: byName.exactOptional(),
  utilizationRatio: byName,
  measured: z
    .object({
      throughputPerSecond: amount,
      responseTimeSeconds: amount.exactOptional(),
      cpuUtilizationRatio: amount.exactOptional(),
    })
    .exactOptional(),
  throughputErrorRatio: number.exactOptional(),
  responseTimeErrorRatio: number.exactOptional(),
});

/** What `predict` prints with `--json`. */
export const predictionDocumentSchema = z
  .object({
    kind: z.literal('prediction'),
    schemaVersion: z.literal(1),
    basis: text,
    method: text,
    whatIf: z.array(text),
    thinkTimeSeconds: amount,
    serverCount: byName,
    serviceDemandSeconds: byName,
    bottleneck: text,
    throughputLimitPerSecond: amount,
    saturationUsers: amount,
    steps: z.array(predictedStep),
    error: z
      .object({ stepCount: count, throughputRatio: amount, responseTimeRatio: amount.exactOptional() })
      .exactOptional(),
    notices,
  })
  .meta({ title: 'Prediction', description: 'The step curve that demands lead to, before it is measured.' });

const fieldValue = z.union([number, text, z.boolean(), z.array(number)]);

/** What `report --nats URL` prints with `--json`. */
export const brokerRunsSchema = z
  .object({
    kind: z.literal('broker-runs'),
    schemaVersion: z.literal(1),
    runs: z.array(
      z.object({
        runId: text,
        startedAt: text,
        label: text,
        url: text,
        agentCount: count,
        isConcluded: z.boolean(),
      }),
    ),
  })
  .meta({ title: 'Runs on a broker', description: 'Runs of load agents that a broker keeps.' });

/** What `explain` prints with `--json`. */
export const explanationDocumentSchema = z
  .object({
    kind: z.literal('explanation'),
    schemaVersion: z.literal(1),
    field: text,
    value: fieldValue,
    meaning: text,
    formula: text.exactOptional(),
    reason: text.exactOptional(),
    inputs: z.array(z.object({ field: text, value: fieldValue })),
    windowSeconds: amount.exactOptional(),
    sampleCount: count.exactOptional(),
    isDoubtful: z.literal(true).exactOptional(),
    source: text,
  })
  .meta({ title: 'Explanation', description: 'Where one number of a report comes from.' });

const machineResult = z.enum(['good', 'weak', 'poor']);

/** What `doctor` prints with `--json`. */
export const machineCheckSchema = z
  .object({
    kind: z.literal('machine-check'),
    schemaVersion: z.literal(1),
    checks: z.array(
      z.object({
        id: text,
        result: machineResult,
        seen: text,
        advice: text.exactOptional(),
        line: text.exactOptional(),
      }),
    ),
    selfTest: z.object({
      cpuSecondsPerRequest: amount,
      throughputPerSecond: amount,
      noiseFloorP50Seconds: amount,
      noiseFloorP99Seconds: amount,
      errorCount: count,
    }),
    honestRatePerSecond: amount,
    connectionLimit: amount,
    grade: machineResult,
  })
  .meta({ title: 'Machine check', description: 'What load this machine can honestly make.' });

true satisfies Agrees<z.infer<typeof machineCheckSchema>, MachineCheckDocument>;
true satisfies Agrees<z.infer<typeof reportSchema>, ReportDocument>;
true satisfies Agrees<z.infer<typeof isolationDocumentSchema>, IsolationDocument>;
true satisfies Agrees<z.infer<typeof comparisonDocumentSchema>, ComparisonDocument>;
true satisfies Agrees<z.infer<typeof noiseFloorSchema>, NoiseFloor>;
true satisfies Agrees<z.infer<typeof predictionDocumentSchema>, PredictionDocument>;
true satisfies Agrees<z.infer<typeof explanationDocumentSchema>, ExplanationDocument>;
true satisfies Agrees<z.infer<typeof brokerRunsSchema>, BrokerRunsDocument>;
