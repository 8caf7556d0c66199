import { z } from 'zod';
import { runTotalsSchema } from '../record/schema/measurement.ts';
import { ERROR_CODES, type ErrorCode } from '../errors.ts';

/** Ids come from outside and become words of subjects. */
const id = z.string().regex(/^\w{1,64}$/);
const amount = z.number().min(0);
const whole = z.int().min(0);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const words = z.string().max(4000);
const errorCode = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);

export const callSchema = z.object({ callId: id });

/** What an agent says of itself. */
export const helloSchema = z.object({
  agentId: id,
  name: z.string().min(1).max(100),
  version: words,
  buildHash: hash,
  nodeVersion: words,
  platform: words,
  /** The same for those who share a loopback, and for no others. */
  hostId: words,
  /** Cores it may use; it makes its load on one. */
  coreCount: amount,
  isBusy: z.boolean(),
  /** Drawn by the agent for this answer: an order without it was meant for another time. */
  nonce: id,
});
export type Hello = z.infer<typeof helloSchema>;

const part = z.object({ index: whole, count: whole.min(1) });

/** Prepare for this run. */
export const orderSchema = z.object({
  runId: id,
  agentId: id,
  nonce: id,
  version: words,
  buildHash: hash,
  bundleSha256: hash,
  part,
  /** Whether this agent reads the service's counters, being nearest to it. */
  readsCounters: z.boolean(),
});
export type Order = z.infer<typeof orderSchema>;

/** No, and why. */
const refusal = z.object({
  kind: z.literal('refused'),
  code: errorCode,
  message: words,
  hint: words.optional(),
});
export type Refusal = z.infer<typeof refusal>;

export const orderReplySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ready'),
    /** Why the agent may load the service, found by itself. */
    proof: words,
    /** What it asked the service while preparing, for the service's own counts. */
    probeCount: whole,
  }),
  refusal,
]);
export type OrderReply = z.infer<typeof orderReplySchema>;

/** The agent's monotonic clock, which all its times are of, and its wall clock, which only explains its logs. */
export const pongSchema = z.object({ nowSeconds: z.number(), epochSeconds: z.number() });

/** Start at this reading of the agent's own clock. */
export const startSchema = z.object({ runId: id, atSeconds: z.number() });
export const startReplySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), leadSeconds: z.number() }),
  refusal,
]);
export type StartReply = z.infer<typeof startReplySchema>;

const stopReason = z.enum(['interrupted', 'service-gone', 'too-many-errors', 'agent-lost']);

/** The coordinator lives. What it wants is in every beat, so that a lost one costs nothing. */
export const beatSchema = z.object({
  runId: id,
  /** Rises from beat to beat: an old one played again is none. */
  count: whole,
  state: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('run'),
      /** After a loss: who makes which part from a step on. */
      sharing: z.object({ version: whole, fromStepIndex: whole, parts: z.record(id, part) }).exactOptional(),
    }),
    z.object({ kind: z.literal('stop'), reason: stopReason }),
    /** All is here, or is given up: the agent is free. */
    z.object({ kind: z.literal('close') }),
  ]),
});
export type Beat = z.infer<typeof beatSchema>;

/** The agent lives, and so far it has come. */
export const pulseSchema = z.object({
  agentId: id,
  madeCount: whole,
  storedCount: whole,
  /** The newest sharing that it will keep to; 0: the order's. */
  sharingVersion: whole,
  /** Why the broker does not keep what it tells, in the broker's words. */
  trouble: words.exactOptional(),
});

/** How an agent's own process fared in the time of a frame. */
export interface AgentHealth {
  readonly cpuSeconds: number;
  /** Ready to run without a core to run on: others had it, or a quota was used up. */
  readonly waitedSeconds: number;
}

/** An agent's last word, in the store of objects: what the sum of its events must agree with. */
export const finalSchema = z.object({
  agentId: id,
  eventCount: whole,
  /** Over all events in order: see `EventChain`. */
  chainSha256: hash,
  totals: runTotalsSchema,
  endedBy: z.enum(['plan', 'coordinator', 'dead-man']),
  /** Actual minus set start, by the agent's own clock. */
  startLateSeconds: z.number(),
  /** What was thrown in a scenario, as notices. */
  notices: z.array(
    z.object({
      code: words,
      severity: z.enum(['info', 'warning', 'red-flag']),
      message: words,
      advice: words.optional(),
    }),
  ),
});
export type AgentFinal = z.infer<typeof finalSchema>;

export const encode = (message: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(message));

/** The message, where the bytes hold one of this kind; undefined otherwise: what others send is theirs to mend. */
export function decode<Message>(schema: z.ZodType<Message>, data: Uint8Array): Message | undefined {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(data)));
  } catch {
    return undefined;
  }
}
