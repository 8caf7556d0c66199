import { z } from 'zod';
import type { Analysis, Confirmation, Isolation, RemedyOption } from '../../model/analysis.ts';
import type { Agrees } from './agreement.ts';
import { amount, byName, count, interval, notices, number, share, text } from './primitives.ts';

const percentileInterval = z.object({ low: amount, high: amount.exactOptional() });

const percentiles = z.object({
  p50Seconds: amount.exactOptional(),
  p95Seconds: amount.exactOptional(),
  p99Seconds: amount.exactOptional(),
  meanSeconds: amount.exactOptional(),
  maxSeconds: amount.exactOptional(),
  sampleCount: count.exactOptional(),
  p95Interval: percentileInterval.exactOptional(),
  p99Interval: percentileInterval.exactOptional(),
  reported: z
    .object({ by: text, percentiles: z.array(z.tuple([amount, amount]).readonly()) })
    .exactOptional(),
  throughputPerSecond: amount.exactOptional(),
});

/** One row of the step table. */
export const stepRowSchema = z.object({
  index: count,
  part: text.exactOptional(),
  users: amount.exactOptional(),
  concurrency: amount.exactOptional(),
  arrivalRatePerSecond: amount.exactOptional(),
  writeRatio: share.exactOptional(),
  sentPerSecond: amount.exactOptional(),
  droppedCount: count.exactOptional(),
  windowSeconds: amount.exactOptional(),
  completionCount: count.exactOptional(),
  throughputPerSecond: amount,
  throughputStandardErrorPerSecond: amount.exactOptional(),
  errorCount: amount,
  errorRatio: share,
  errorCountUnknown: z.literal(true).exactOptional(),
  errorRatioUnknown: z.literal(true).exactOptional(),
  responseTimeSeconds: amount.exactOptional(),
  overall: percentiles,
  byRoute: z.record(text, percentiles),
  thinkTimeSeconds: amount.exactOptional(),
  meanInFlight: amount.exactOptional(),
  busySeconds: byName.exactOptional(),
  utilizationRatio: byName,
  serviceDemandSeconds: byName,
  serverCount: byName,
  littleResidualRatio: number.exactOptional(),
  machineCpuRatio: amount.exactOptional(),
  machineCoreCount: amount.exactOptional(),
  loadPerCore: amount.exactOptional(),
  runQueuePerCore: amount.exactOptional(),
  diskBusyRatio: amount.exactOptional(),
  residentBytes: amount.exactOptional(),
  residentGrowthBytes: number.exactOptional(),
  descriptorCount: amount.exactOptional(),
  threadCount: amount.exactOptional(),
  cacheHitRatio: share.exactOptional(),
  generator: z
    .object({
      utilizationRatio: amount,
      scheduleLagP99Seconds: amount.exactOptional(),
      workers: z
        .array(
          z.object({
            name: text,
            cpuSeconds: amount,
            utilizationRatio: amount,
            scheduleLagP99Seconds: amount.exactOptional(),
            eventLoopDelayMaxSeconds: amount,
          }),
        )
        .exactOptional(),
    })
    .exactOptional(),
  valid: z.boolean(),
  notices,
});

const knee = z.object({
  seen: z.boolean(),
  reason: text,
  users: amount.exactOptional(),
  interval: interval.exactOptional(),
  lowerBound: amount.exactOptional(),
  upperBound: amount.exactOptional(),
  bend: interval.exactOptional(),
  peak: z.object({ load: amount, throughputPerSecond: amount, reached: z.boolean() }).exactOptional(),
  rise: z.object({ fromLoad: amount, toLoad: amount, gainRatio: amount }).exactOptional(),
  capacityPerSecond: amount.exactOptional(),
  capacitySource: z.enum(['plateau', 'asymptote', 'highest-measured']).exactOptional(),
  planForPerSecond: amount.exactOptional(),
  operatingBand: interval.exactOptional(),
  degradation: z
    .object({ fromLoad: amount, lossRatio: number, isLastStepOnly: z.literal(true).exactOptional() })
    .exactOptional(),
});

const usl = z.object({
  throughputAtOnePerSecond: amount,
  contention: number,
  contentionStandardError: amount,
  coherency: number,
  coherencyStandardError: amount,
  peakUsers: amount.exactOptional(),
  note: text,
});

const crossCheck = z.object({
  method: text,
  users: amount.exactOptional(),
  standardError: amount.exactOptional(),
  note: text,
});

const evidence = z.object({
  stepIndex: count.exactOptional(),
  quantity: text,
  value: number,
  unit: text,
  text,
});

const ratioLimits = z.object({ atLeast: number.exactOptional(), atMost: number.exactOptional() });

const experiment = z.object({
  kind: z.enum(['leave-out-route', 'double-load', 'light-load', 'load-off', 'repeat-load']),
  route: text.exactOptional(),
  stepIndex: count.exactOptional(),
  reads: z.object({
    quantity: z.enum([
      'throughputPerSecond',
      'responseTimeSeconds',
      'p50Seconds',
      'p95Seconds',
      'errorRatio',
      'utilizationRatio.cpu',
      'residentBytes',
      'residentGrowthBytes',
      'descriptorCount',
    ]),
    route: text.exactOptional(),
  }),
  supports: ratioLimits,
  refutes: ratioLimits,
});

const finding = z.object({
  ruleId: text,
  claim: text,
  confidence: z.enum(['high', 'medium', 'low']),
  resource: text.exactOptional(),
  route: text.exactOptional(),
  evidence: z.array(evidence),
  counterEvidence: z.array(evidence),
  nextExperiment: text.exactOptional(),
  experiment: experiment.exactOptional(),
});

const useFigure = z.object({
  value: number,
  unit: z.enum(['ratio', 'perSecond', 'bytesPerSecond', 'count']),
  text,
});

const useRow = z.object({
  resource: z.enum([
    'cpu',
    'busiestThread',
    'pool',
    'databaseLock',
    'disk',
    'network',
    'connections',
    'memory',
  ]),
  utilization: useFigure.exactOptional(),
  saturation: useFigure.exactOptional(),
  errors: useFigure.exactOptional(),
  verdict: z.enum(['full', 'busy', 'free', 'unknown']),
  reason: text,
});

const responseSplit = z.object({
  stepIndex: count,
  clientP50Seconds: amount,
  clientP95Seconds: amount.exactOptional(),
  serviceP50Seconds: amount,
  serviceP95Seconds: amount.exactOptional(),
  insideRatio: amount,
});

/** Steps, knee, saturation, cross-checks, findings. */
export const analysisSchema = z.object({
  steps: z.array(stepRowSchema),
  knee,
  saturation: z
    .object({
      users: amount,
      isLowerBound: z.literal(true).exactOptional(),
      isUpperBound: z.literal(true).exactOptional(),
      interval,
      method: text,
    })
    .exactOptional(),
  usl: usl.exactOptional(),
  crossChecks: z.array(crossCheck),
  findings: z.array(finding),
  notices,
  useTable: z.object({ stepIndex: count, rows: z.array(useRow) }).exactOptional(),
  responseSplits: z.array(responseSplit).exactOptional(),
});

const isolatedRoute = z.object({
  route: text,
  requestClassId: text,
  shareRatio: share,
  users: amount,
  completionCount: count,
  throughputPerSecond: amount,
  windowSeconds: amount,
  utilizationRatio: amount,
  serviceDemandSeconds: amount,
  p50Seconds: amount,
  p95Seconds: amount,
  meanSeconds: amount.exactOptional(),
  quantileSeconds: z.array(amount).exactOptional(),
  lockHeldSeconds: amount.exactOptional(),
  threadDemandSeconds: amount.exactOptional(),
  demandUsers: amount.exactOptional(),
  errorCount: count,
  shareOfWorkRatio: share,
});

/** The routes alone. */
export const isolationSchema = z.object({
  routes: z.array(isolatedRoute),
  demandRatio: amount,
  mixDemandSeconds: amount,
  serverCount: amount,
  notices,
});

/** An experiment of `--confirm`. */
export const confirmationSchema = z.object({
  ruleId: text,
  route: text.exactOptional(),
  experiment,
  before: number.exactOptional(),
  after: number.exactOptional(),
  ratio: number.exactOptional(),
  outcome: z.enum(['supports', 'refutes', 'undecided', 'not-run']),
  text,
  seconds: amount,
});

/** A remedy with its predicted effect. */
export const remedyOptionSchema = z.object({
  id: text,
  option: text,
  effect: text,
  predicted: z.object({
    users: amount,
    throughputPerSecond: amount,
    utilizationRatio: amount,
    saturationUsers: amount,
    p95ByRoute: byName,
  }),
  verdict: z.enum(['chosen', 'fallback', 'partial', 'no']),
  reason: text,
  notOpen: text.exactOptional(),
});

true satisfies Agrees<z.infer<typeof analysisSchema>, Analysis>;
true satisfies Agrees<z.infer<typeof isolationSchema>, Isolation>;
true satisfies Agrees<z.infer<typeof remedyOptionSchema>, RemedyOption>;
true satisfies Agrees<z.infer<typeof confirmationSchema>, Confirmation>;
