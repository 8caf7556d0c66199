/** One request as the log tells it, whatever the format. */
export interface LogEntry {
  /** Start of the request, seconds since the Unix epoch. For formats stamped at the end: stamp − duration. */
  readonly atSeconds: number;
  /** Best client key of the format (address, user, forwarded address), as text. */
  readonly client: string;
  /** Session or user that the line names. */
  readonly user?: string;
  readonly method: string;
  /** Path without query, still percent-encoded. */
  readonly path: string;
  /** Query without the `?`; missing when the target has none. */
  readonly query?: string;
  readonly status: number;
  readonly responseBytes?: number;
  /** Missing when the log has none, never 0 for "unknown". */
  readonly responseTimeSeconds?: number;
  readonly userAgent?: string;
  readonly referer?: string;
}

/** Whether a format stamps the start or the end of a request; `none`: no timestamp at all. */
export type TimestampMeaning = 'start' | 'end' | 'none';

/** Every line ends in one of the five; `total` is their sum. */
export interface LineCounts {
  readonly total: number;
  readonly blank: number;
  readonly comment: number;
  readonly ok: number;
  /** The line fits the format, the request in it does not (TLS bytes on a plain port, `-`, …). */
  readonly badRequest: number;
  readonly unparsed: number;
}

/** A line shown to the reader as an example of its kind. */
export interface LineExample {
  readonly file: string;
  readonly line: number;
  readonly kind: 'badRequest' | 'unparsed';
  /** Up to 200 characters, control characters escaped. */
  readonly text: string;
  readonly reason: string;
}
