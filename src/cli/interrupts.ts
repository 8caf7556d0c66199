import { EXIT } from '../errors.ts';

/** What Ctrl-C and a termination ask for. */
export interface Interrupts {
  /** Aborted by the first signal: finish the second, keep what was measured. */
  readonly signal: AbortSignal;
  /** 130 or 143 once a signal came. */
  readonly exitCode: () => number | undefined;
  /** Back to the process's own way with signals. */
  release(): void;
}

/** The first signal asks for a graceful end, the second for one at once (`onSecond`, then the caller's way out). */
export function listenForInterrupts(onFirst: () => void, onSecond: () => void): Interrupts {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const handle = (code: number) => (): void => {
    if (exitCode === undefined) {
      exitCode = code;
      onFirst();
      controller.abort();
    } else {
      onSecond();
    }
  };
  const handlers = { SIGINT: handle(EXIT.interrupted), SIGTERM: handle(EXIT.terminated) };
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    release: () => {
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    },
  };
}
