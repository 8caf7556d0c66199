import type { LogTable } from '../model/log-table.ts';

/** What users sent, request by request. */
export interface SentByUsers extends SentRequests {
  readonly users: number;
  /** Beside `pauseSeconds`: from the start of a request to the start of the same user's next. */
  readonly cycleSeconds: readonly number[];
  /** Seed of the sessions that the requests are cut into. */
  readonly seed: number;
}

/** What open arrivals of a rate sent. */
export interface SentByArrivals extends SentRequests {
  readonly ratePerSecond: number;
}

/** What a run sent, request by request: all columns have the same length. */
export interface SentRequests {
  /** Length of the stretch that the requests are from. */
  readonly seconds: number;
  /** The classes that could be sent, by their ids. */
  readonly classIds: readonly string[];
  readonly atSeconds: readonly number[];
  readonly methods: readonly string[];
  readonly targets: readonly string[];
  /** From the end of a request to the start of the same user's next. */
  readonly pauseSeconds: readonly number[];
}

/** The requests as a log would hold them; every one succeeded and none has a duration. */
export function tableOfRequests({ atSeconds, methods, targets }: SentRequests): LogTable {
  const count = atSeconds.length;
  const [method, target] = [numbered(methods), numbered(targets)];
  return {
    files: [],
    format: 'sent',
    timestampMeaning: 'start',
    stampResolutionSeconds: 1e-6,
    lines: { total: count, blank: 0, comment: 0, ok: count, badRequest: 0, unparsed: 0 },
    lineExamples: [],
    notices: [],
    rowCount: count,
    atSeconds,
    responseTimeSeconds: new Float64Array(count).fill(NaN),
    status: new Uint16Array(count).fill(200),
    methodIds: method.ids,
    targetIds: target.ids,
    clientIds: new Uint32Array(count),
    agentIds: new Uint32Array(count),
    methods: method.texts,
    targets: target.texts,
    clients: [''],
    agents: [''],
  };
}

function numbered(values: readonly string[]): { ids: Uint32Array; texts: readonly string[] } {
  const idOf = new Map<string, number>();
  const ids = Uint32Array.from(values, (value) => {
    const id = idOf.get(value) ?? idOf.size;
    idOf.set(value, id);
    return id;
  });
  return { ids, texts: [...idOf.keys()] };
}
