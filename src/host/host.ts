/** Something that wants to be called at a time. One object per user or timer, reused, so that waiting costs no closure. */
export interface Task {
  onTime(): void;
}

/**
 * Monotonic time and waiting. Two implementations: the real clock (a timer wheel over one timer) and the
 * virtual clock (an event list), under which thousands of seconds pass in one.
 */
export interface Clock {
  /** Seconds since an arbitrary origin; never steps back. */
  nowSeconds(): number;
  /**
   * Calls `task.onTime()` at `atSeconds` or soon after, never before; a time in the past means as soon as
   * possible, never synchronously. Nothing cancels a call: a task that lost interest ignores it.
   */
  schedule(atSeconds: number, task: Task): void;
  /**
   * Calls what has come due: offered by whoever was woken by something else, so that a due task need not wait for
   * the timer. Does nothing on a clock that is never late.
   */
  catchUp(): void;
}
