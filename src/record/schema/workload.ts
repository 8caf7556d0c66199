import { z } from 'zod';
import type { WorkloadModel } from '../../model/workload.ts';
import type { Agrees } from './agreement.ts';
import { amount, count, distribution, notices, number, share, text } from './primitives.ts';

const timeSummary = z.object({ mean: amount, p50: amount, p95: amount, p99: amount, max: amount, count });

const parameter = z.object({
  name: text,
  in: z.enum(['path', 'query']),
  requestCount: count,
  distinctCount: count,
  zipfExponent: number,
  unseenCount: count.exactOptional(),
  kind: z.enum(['uniform', 'zipf', 'too-few-repeats', 'constant']),
  top: z.array(z.object({ value: text, count })),
});

export const targetSet = z.object({
  draw: z.enum(['uniform', 'counted']),
  targets: z.array(text),
  counts: z.array(count).exactOptional(),
  distinctCount: count,
});

const requestClass = z.object({
  id: text,
  method: text,
  route: text,
  requestCount: count,
  shareRatio: share,
  responseTimeSeconds: timeSummary.exactOptional(),
  parameters: z.array(parameter),
  targets: targetSet,
});

const lines = z.object({
  total: count,
  blank: count,
  comment: count,
  ok: count,
  badRequest: count,
  unparsed: count,
});

const lineExample = z.object({
  file: text,
  line: count,
  kind: z.enum(['badRequest', 'unparsed']),
  text,
  reason: text,
});

const thinkTime = z.object({
  mean: amount,
  p50: amount,
  count,
  distribution,
  marginSeconds: amount.exactOptional(),
  unresolvedCount: count.exactOptional(),
  negativeCount: count.exactOptional(),
});
const timeoutPoint = z.object({
  timeoutSeconds: amount,
  sessionCount: count,
  thinkTimeSeconds: amount,
  activeUsers: amount,
});
const sessions = z.object({
  timeoutSeconds: amount,
  count,
  requestsPerSession: amount,
  stepsPerSession: amount.exactOptional(),
  perSecond: amount.exactOptional(),
  meanLengthSeconds: amount.exactOptional(),
  activeMean: amount.exactOptional(),
  singleStepCount: count.exactOptional(),
  atEdgeCount: count.exactOptional(),
  sizes: z.array(z.object({ stepCount: amount, sessionCount: count })).exactOptional(),
  timeoutCurve: z.array(timeoutPoint).exactOptional(),
});
const steps = z.object({
  count,
  perSecond: amount,
  requestsPerStep: amount,
  responseTimeSeconds: amount,
});
const automated = z.object({
  kind: z.enum(['bot', 'health-check', 'scanner']),
  clientCount: count,
  requestCount: count,
  shareRatio: share,
});
const replacedValues = z.object({ name: text, in: z.enum(['path', 'query']), valueCount: count });
export const windowSchema = z.object({ rule: text, fromSeconds: number, toSeconds: number });

/** `workload.json`, and what `model --json` prints. */
export const workloadSchema = z
  .object({
    kind: z.literal('workload'),
    schemaVersion: z.literal(1),
    files: z.array(text),
    format: text,
    timestampMeaning: z.enum(['start', 'end', 'none']),
    lines,
    lineExamples: z.array(lineExample),
    window: windowSchema,
    requestCount: count,
    clientCount: count,
    spanSeconds: amount,
    throughputPerSecond: amount,
    busiestMinutePerSecond: amount,
    requestsPerMinute: z.array(count),
    logged: z
      .object({
        clientCount: count,
        firstSeconds: number,
        lastSeconds: number,
        busiestMinute: z.object({ fromSeconds: number, lineCount: count }),
      })
      .exactOptional(),
    wholeLog: z
      .object({ fromSeconds: number, binSeconds: amount, requestsPerBin: z.array(count) })
      .exactOptional(),
    thinkTimeSeconds: thinkTime.exactOptional(),
    responseTimeSeconds: timeSummary.exactOptional(),
    timedRequestCount: count.exactOptional(),
    activeUsers: amount.exactOptional(),
    requestThinkTimeSeconds: distribution.exactOptional(),
    clientKey: z.enum(['user', 'address-and-agent', 'address']).exactOptional(),
    steps: steps.exactOptional(),
    automated: z.array(automated).exactOptional(),
    sharedClients: z.object({ clientCount: count, requestCount: count }).exactOptional(),
    replacedValues: z.array(replacedValues).exactOptional(),
    sessions: sessions.exactOptional(),
    requestClasses: z.array(requestClass),
    warnings: notices,
  })
  .meta({ title: 'Workload', description: 'The workload a log carries; SI units.' });

true satisfies Agrees<z.infer<typeof workloadSchema>, WorkloadModel>;
