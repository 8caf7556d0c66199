import type { LineCounts, LineExample, TimestampMeaning } from './access-log.ts';
import type { Notice } from './notice.ts';

/** Texts by number, decoded when asked for. A plain array of strings is one. */
export interface TextList {
  readonly length: number;
  at(index: number): string | undefined;
}

/** How many requests of a log start in each stretch of it. */
export interface LogOverview {
  readonly fromSeconds: number;
  readonly binSeconds: number;
  readonly requestsPerBin: readonly number[];
}

/**
 * The requests of one or more logs as columns: row i of every column is the same request. It lives between
 * reading and modelling only and is never stored, so its columns are typed arrays and NaN marks what a row
 * lacks.
 */
export interface LogTable {
  /** File names without folders. */
  readonly files: readonly string[];
  /** Name of the log format, from the format list. */
  readonly format: string;
  readonly timestampMeaning: TimestampMeaning;
  /** Smallest step of the time stamps: 1 for `[30/Nov/2026:17:56:37 +0000]`. */
  readonly stampResolutionSeconds: number;
  readonly lines: LineCounts;
  readonly lineExamples: readonly LineExample[];
  readonly notices: readonly Notice[];
  readonly rowCount: number;
  /** Start since the epoch; where the log stamps the end and has no duration, that end. */
  readonly atSeconds: ArrayLike<number>;
  /** NaN: not in the log. */
  readonly responseTimeSeconds: ArrayLike<number>;
  /** 0: not in the log. */
  readonly status: ArrayLike<number>;
  readonly methodIds: ArrayLike<number>;
  readonly targetIds: ArrayLike<number>;
  readonly clientIds: ArrayLike<number>;
  /** 0 is the empty user agent. */
  readonly agentIds: ArrayLike<number>;
  readonly methods: TextList;
  /** Path and query as sent, in origin form. */
  readonly targets: TextList;
  readonly clients: TextList;
  readonly agents: TextList;
  /** All requests of the log, where rows are kept of a part of it only. */
  readonly overview?: LogOverview;
  /** Session id, cookie or user name, where the log has one; 0 is none. With `users`. */
  readonly userIds?: ArrayLike<number>;
  readonly users?: TextList;
  /** Lines that fit the format and whose request no server understands: their stamps (NaN: none) and clients; missing: none. */
  readonly badRequests?: { readonly stampSeconds: ArrayLike<number>; readonly clientIds: ArrayLike<number> };
  /** 1 + the id of the target that the referer is, whatever its host; 0: none, or no request of the log asks for it. */
  readonly refererTargetIds?: ArrayLike<number>;
}
