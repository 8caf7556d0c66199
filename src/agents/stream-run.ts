import type { CounterSample } from '../drive/counter-log.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import { ShiploadError } from '../errors.ts';
import type { BrokerRun } from '../model/documents.ts';
import type { RunTotals, StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import type { AgentRecord, RunManifest } from '../model/record.ts';
import { parseRunManifest } from '../record/validate.ts';
import type { StreamManifest } from './agents-engine.ts';
import type { TeamConclusion } from './audit.ts';
import type { Bus } from './bus.ts';
import { SampleLog } from './sample-log.ts';
import { SUBJECTS } from './subjects.ts';
import { TeamMerge } from './team-merge.ts';

/** A run as its stream has it. */
export interface StreamRun {
  readonly manifest: RunManifest;
  readonly measurements: readonly StepMeasurement[];
  readonly totals?: RunTotals;
  /** Of the coordinator; missing where it never came to the end. */
  readonly conclusion?: TeamConclusion;
  readonly notices: readonly Notice[];
}

const text = (data: Uint8Array): string => new TextDecoder().decode(data);

/**
 * The run that a stream keeps, merged as the coordinator would have merged it: of one whose coordinator was killed,
 * all that the agents sent. Throws `file-not-found` where the broker keeps no such run, and `record-invalid`.
 */
export async function readStreamRun(bus: Bus, runId: string): Promise<StreamRun> {
  const { manifest, members, samples, conclusion } = await readKept(bus, runId);
  const events: RunEvent[] = [];
  const merge: TeamMerge = new TeamMerge(manifest.plan, members, {
    counters: [],
    nowSeconds: () => 0,
    sampleAt: (runSeconds) => samples.nearest(runSeconds),
    // Those of agents are kept among the others.
    onSample: () => undefined,
    stopParts: () => undefined,
    // Who took over what is not in the stream.
    isShared: () => false,
    onEvent: (event) => void (event.kind === 'frame' || events.push(event)),
    onFault: (agentId, why) => {
      const seat = merge.seats.find((one) => one.agentId === agentId);
      if (seat !== undefined) merge.lose(seat, why);
    },
  });
  for await (const { subject, data } of bus.replay(runId, [SUBJECTS.event(runId, '*', '*')]))
    merge.receive(subject, data);
  for (const seat of merge.seats) merge.lose(seat, 'the stream holds no more of it');
  const last = events.at(-1);
  return {
    manifest: withState(manifest, last, conclusion),
    measurements: events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : [])),
    ...(last?.kind === 'finished' && { totals: last.totals }),
    ...(conclusion !== undefined && { conclusion }),
    notices: [readBack(runId, conclusion !== undefined), ...(conclusion?.notices ?? [])],
  };
}

/** What a stream says of its run; undefined where it does not hold what run it is. */
export async function describeStreamRun(bus: Bus, runId: string): Promise<BrokerRun | undefined> {
  const [kept, conclusion] = await Promise.all([
    bus.stored(runId, SUBJECTS.manifest(runId)),
    bus.stored(runId, SUBJECTS.conclusion(runId)),
  ]);
  if (kept === undefined) return undefined;
  const { manifest, members } = JSON.parse(text(kept)) as StreamManifest;
  const { startedAt, label, service } = parseRunManifest(manifest, `run ${runId} on the broker`);
  const isConcluded = conclusion !== undefined;
  return { runId, startedAt, label, url: service.url, agentCount: members.length, isConcluded };
}

async function readKept(bus: Bus, runId: string) {
  const samples = new SampleLog(Infinity);
  let kept: StreamManifest | undefined;
  let conclusion: TeamConclusion | undefined;
  const patterns = [SUBJECTS.manifest(runId), SUBJECTS.sample(runId, '*'), SUBJECTS.conclusion(runId)];
  for await (const { subject, data } of bus.replay(runId, patterns)) {
    const value: unknown = JSON.parse(text(data));
    if (subject === SUBJECTS.manifest(runId)) kept = value as StreamManifest;
    else if (subject === SUBJECTS.conclusion(runId)) conclusion = value as TeamConclusion;
    else samples.add(value as CounterSample);
  }
  if (kept === undefined)
    throw new ShiploadError('file-not-found', `the broker keeps no run ${runId}`, {
      where: runId,
      hint: 'shipload report --nats URL lists the runs that it keeps.',
    });
  const manifest = parseRunManifest(kept.manifest, `run ${runId} on the broker`);
  return { manifest, members: kept.members, samples, conclusion };
}

/** How it ended: as the agents told, where the coordinator was there to the end. */
function withState(
  manifest: RunManifest,
  last: RunEvent | undefined,
  conclusion: { readonly agents: readonly AgentRecord[] } | undefined,
): RunManifest {
  if (conclusion === undefined) return { ...manifest, state: 'interrupted' };
  const state = last?.kind === 'finished' ? last.reason : 'interrupted';
  return { ...manifest, state, agents: conclusion.agents };
}

const readBack = (runId: string, isConcluded: boolean): Notice => ({
  code: 'recovered-from-stream',
  severity: isConcluded ? 'info' : 'warning',
  message: isConcluded
    ? `read back from the stream of run ${runId}`
    : `read back from the stream of run ${runId}: its coordinator never came to the end, and the agents stopped by themselves`,
});
