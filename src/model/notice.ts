/**
 * A doubt about the data or the measurement, as data: what was seen and what to do.
 * Codes are stable words; reports and tests match on the code, never on the message.
 */
export interface Notice {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'red-flag';
  /** What was seen, with its figures. */
  readonly message: string;
  /** What the reader can do about it. */
  readonly advice?: string;
  /** Where: a step index, a route, a file:line. */
  readonly where?: string;
}
