import { EXIT } from '../errors.ts';

/** 24.8 days; a longer wait would be none. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** What Ctrl-C, a termination and the end of the terminal ask for. */
export interface Interrupts {
  /** Aborted by the first signal: finish the second, keep what was measured. */
  readonly signal: AbortSignal;
  /** 130 or 143 once a signal came; the end of the terminal is a termination. */
  readonly exitCode: () => number | undefined;
  /** Ends the same way when a permission does (ISO): no load is there after it, whatever is still planned. */
  endAt(until: string, onEnd: () => void): void;
  /** Back to the process's own way with signals. */
  release(): void;
}

/** The first signal asks for a graceful end, the second for one at once (`onSecond`, then the caller's way out). */
export function listenForInterrupts(onFirst: () => void, onSecond: () => void): Interrupts {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const handle = (code: number) => (): void => {
    if (exitCode === undefined) {
      exitCode = code;
      onFirst();
      controller.abort();
    } else {
      onSecond();
    }
  };
  const handlers = {
    SIGINT: handle(EXIT.interrupted),
    SIGTERM: handle(EXIT.terminated),
    // A terminal that was closed.
    SIGHUP: handle(EXIT.terminated),
  };
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    endAt: (until, onEnd) => {
      const end = (): void => {
        if (controller.signal.aborted) return;
        onEnd();
        controller.abort();
      };
      timer = setTimeout(end, Math.min(LONGEST_TIMER_MILLISECONDS, Date.parse(until) - Date.now())).unref();
    },
    release: () => {
      clearTimeout(timer);
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    },
  };
}
