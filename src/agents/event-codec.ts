import { z } from 'zod';
import type { CounterSample } from '../drive/counter-log.ts';
import type { PartEvent } from '../drive/merged-run.ts';
import type { Frame } from '../model/measurement.ts';
import { runTotalsSchema, segmentSchema } from '../record/schema/measurement.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { readFrame, writeFrame } from './frame-codec.ts';
import type { AgentHealth } from './messages.ts';

/** What an agent sends for one event of its part of the plan. */
export interface AgentEvent {
  readonly event: PartEvent;
  /** With a frame: how the agent fared in its time. */
  readonly health?: AgentHealth;
  /** With a frame, of the agent that reads the service's counters. */
  readonly sample?: CounterSample;
}

/** The first byte of an event, so that a newer form is told from this one. */
const FORM = 1;
const KIND = { rare: 0, frame: 1 } as const;

const whole = z.int().min(0);
const sampleSchema = segmentSchema.shape.sample;
/** All but frames, which come every second: as JSON. */
const rareEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step-started'), stepIndex: whole, atSeconds: z.number() }),
  z.object({ kind: z.literal('step-finished'), stepIndex: whole, endedEarly: z.string().exactOptional() }),
  z.object({
    kind: z.literal('finished'),
    reason: z.enum(['completed', 'interrupted', 'service-gone', 'too-many-errors', 'agent-lost']),
    totals: runTotalsSchema,
  }),
]);

export function encodeEvent({ event, health, sample }: AgentEvent): Uint8Array {
  const w = new ByteWriter();
  w.whole(FORM);
  if (event.kind === 'frame') {
    w.whole(KIND.frame);
    writeFrame(w, event.frame);
    w.optional(health, (own) => {
      w.number(own.cpuSeconds);
      w.number(own.waitedSeconds);
    });
    w.optional(sample, (own) => w.text(JSON.stringify(own)));
  } else {
    w.whole(KIND.rare);
    w.text(JSON.stringify(event));
  }
  return w.toBytes();
}

/** Throws a RangeError, a SyntaxError or a ZodError for bytes that hold no event. */
export function decodeEvent(data: Uint8Array): AgentEvent {
  const r = new ByteReader(data);
  if (r.whole() !== FORM) throw new RangeError('an event of another form');
  if (r.whole() === KIND.rare) {
    const event = rareEventSchema.parse(JSON.parse(r.text()));
    r.end();
    return { event };
  }
  const frame: Frame = readFrame(r);
  const health = r.optional(() => ({ cpuSeconds: r.number(), waitedSeconds: r.number() }));
  const sample = r.optional(() => sampleSchema.parse(JSON.parse(r.text())));
  r.end();
  return {
    event: { kind: 'frame', frame },
    ...(health !== undefined && { health }),
    ...(sample !== undefined && { sample }),
  };
}
