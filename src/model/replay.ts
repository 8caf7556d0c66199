/**
 * The requests of a log in the order of their starts, to be sent again at their own times. Columns, as a log may
 * hold millions; it goes beside a plan and is never stored.
 */
export interface ReplaySchedule {
  /** Start of each request, seconds since the start of the replayed window, in the time of the log; never falls. */
  readonly atSeconds: Float64Array;
  /** Index into `classIds`, and into `targets`, of each request. */
  readonly classIndex: Uint32Array;
  readonly targetIndex: Uint32Array;
  /** `GET /books/[id]`, as in the workload. */
  readonly classIds: readonly string[];
  readonly targets: readonly string[];
  /** Length of the window in the time of the log. */
  readonly spanSeconds: number;
}
