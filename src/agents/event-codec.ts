import { z } from 'zod';
import type { CounterSample } from '../drive/counter-log.ts';
import type { PartEvent } from '../drive/merged-run.ts';
import { frameSchema, runTotalsSchema, segmentSchema } from '../record/schema/measurement.ts';
import { type AgentHealth, healthSchema } from './messages.ts';
import { packBins, unpackBins } from './packed-bins.ts';

/** What an agent sends for one event of its part of the plan. */
export interface AgentEvent {
  readonly event: PartEvent;
  /** With a frame: how the agent fared in its time. */
  readonly health?: AgentHealth;
  /** With a frame, of the agent that reads the service's counters. */
  readonly sample?: CounterSample;
}

const whole = z.int().min(0);
const sampleSchema = segmentSchema.shape.sample;

const agentEventSchema = z.object({
  event: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('step-started'), stepIndex: whole, atSeconds: z.number() }),
    z.object({ kind: z.literal('frame'), frame: frameSchema }),
    z.object({ kind: z.literal('step-finished'), stepIndex: whole, endedEarly: z.string().exactOptional() }),
    z.object({
      kind: z.literal('finished'),
      reason: z.enum(['completed', 'interrupted', 'service-gone', 'too-many-errors', 'agent-lost']),
      totals: runTotalsSchema,
    }),
  ]),
  health: healthSchema.exactOptional(),
  sample: sampleSchema.exactOptional(),
});

/** The event as bytes, its histograms packed. */
export function encodeEvent(event: AgentEvent): Uint8Array {
  const packed = mapBins(event, (bins) => (Array.isArray(bins) ? packBins(bins as number[]) : bins));
  return new TextEncoder().encode(JSON.stringify(packed));
}

/** Throws a ZodError, a SyntaxError or a RangeError for bytes that hold no event. */
export function decodeEvent(data: Uint8Array): AgentEvent {
  const packed: unknown = JSON.parse(new TextDecoder().decode(data));
  const event = mapBins(packed, (bins) => (typeof bins === 'string' ? unpackBins(bins) : bins));
  agentEventSchema.parse(event);
  return event as AgentEvent;
}

/** The same value with every field `bins` replaced, at any depth. */
function mapBins(value: unknown, map: (bins: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    // Rows of numbers hold no bins.
    return typeof value[0] === 'object' ? value.map((item) => mapBins(item, map)) : value;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    copy[key] = key === 'bins' ? map(item) : mapBins(item, map);
  }
  return copy;
}
