/** Names on the broker: `shipload.` and what it is; of a run `shipload.run.RUN.`; ids are words of letters and digits. */
const ROOT = 'shipload';

export const SUBJECTS = {
  /** A coordinator asks who is there; the payload names where to answer. */
  call: `${ROOT}.call`,
  hello: (callId: string): string => `${ROOT}.hello.${callId}`,
  /** Signed: prepare for a run. */
  order: (agentId: string): string => `${ROOT}.agent.${agentId}.order`,
  /** What time is it with you? */
  ping: (runId: string, agentId: string): string => `${ROOT}.run.${runId}.ping.${agentId}`,
  /** Signed: when to start. */
  start: (runId: string, agentId: string): string => `${ROOT}.run.${runId}.start.${agentId}`,
  /** Signed, to all agents of a run: the coordinator lives, and what it wants. */
  beat: (runId: string): string => `${ROOT}.run.${runId}.beat`,
  /** Of one agent, or with `*` of all: it lives, and how it fares. */
  pulse: (runId: string, agentId: string): string => `${ROOT}.run.${runId}.pulse.${agentId}`,
  /** Kept in the stream: one event of one agent. */
  event: (runId: string, agentId: string, seq: number | '*'): string =>
    `${ROOT}.run.${runId}.event.${agentId}.${seq}`,
  /** Kept in the stream, of the coordinator: what run it is, and the service's counters. */
  manifest: (runId: string): string => `${ROOT}.run.${runId}.manifest`,
  sample: (runId: string, seq: number | '*'): string => `${ROOT}.run.${runId}.sample.${seq}`,
  conclusion: (runId: string): string => `${ROOT}.run.${runId}.conclusion`,
} as const;

/** Subjects of a run that its stream keeps. */
export const keptSubjects = (runId: string): readonly string[] => [
  SUBJECTS.event(runId, '*', '*'),
  SUBJECTS.manifest(runId),
  SUBJECTS.sample(runId, '*'),
  SUBJECTS.conclusion(runId),
];

/** Whether a subject fits a pattern whose `*` stand for one word each. */
export function fits(subject: string, pattern: string): boolean {
  const words = subject.split('.');
  const wanted = pattern.split('.');
  return words.length === wanted.length && wanted.every((word, i) => word === '*' || word === words[i]);
}

/** Agent and number of an event's subject; undefined for others. */
export function eventOf(subject: string): { readonly agentId: string; readonly seq: number } | undefined {
  const match = /\.event\.(\w+)\.(\d+)$/.exec(subject);
  return match === null ? undefined : { agentId: match[1]!, seq: Number(match[2]) };
}

/** Names in a run's bundle. */
export const BUNDLE = {
  order: 'order',
  feed: (index: number): string => `feed.${index}`,
} as const;

/** Names in the store of objects. */
export const OBJECTS = {
  final: (runId: string, agentId: string): string => `${runId}.final.${agentId}`,
} as const;
