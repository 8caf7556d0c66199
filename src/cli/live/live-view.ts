import type { RunEvent } from '../../drive/run-plan.ts';
import type { LoadPlan } from '../../model/load.ts';
import type { Terminal } from '../terminal.ts';
import { screenLines, type ScreenHead } from './live-screen.ts';
import { LiveState } from '../../session/live-state.ts';
import type { Screen } from './screen.ts';

/** At most ten frames a second. */
const FRAME_MILLISECONDS = 100;
const CTRL_C = '\u0003';

export interface RunView {
  readonly onEvent: (event: RunEvent) => void;
  /** Gives the terminal back; the lines said meanwhile follow. */
  close(): void;
}

/**
 * One screen for a run: redrawn when a second has passed and when the terminal changes its size. `q` and Ctrl-C
 * ask for the end of the run (`stop`). Missing where the terminal cannot be taken over.
 */
export function liveView(
  plan: LoadPlan,
  head: Omit<ScreenHead, 'hasKeys' | 'loadName'>,
  terminal: Terminal,
  stop: () => void,
): RunView | undefined {
  const state = new LiveState(plan);
  let drawnAt = 0;
  let pending: NodeJS.Timeout | undefined;
  const draw = (): void => {
    pending = undefined;
    drawnAt = performance.now();
    const { width, height, hasKeys } = opened;
    const full = { ...head, loadName: loadNameOf(plan), hasKeys };
    opened.draw(screenLines(state, full, { width, height, color: terminal.color }));
  };
  const drawSoon = (): void => {
    if (pending !== undefined) return;
    const wait = FRAME_MILLISECONDS - (performance.now() - drawnAt);
    if (wait <= 0) draw();
    else pending = setTimeout(draw, wait);
  };
  const screen = terminal.openScreen({
    onResize: drawSoon,
    onKey: (key) => {
      if (key === 'q' || key === 'Q' || key === CTRL_C) stop();
    },
    onSay: (text) => {
      state.warnings.push(text);
      drawSoon();
    },
  });
  if (screen === undefined) return undefined;
  const opened: Screen = screen;
  draw();
  const close = (): void => {
    clearTimeout(pending);
    opened.close();
  };
  return {
    onEvent: (event) => {
      state.take(event);
      if (event.kind === 'finished') close();
      else if (event.kind !== 'step-started') drawSoon();
    },
    close,
  };
}

function loadNameOf({ steps, thinkTimeSeconds }: LoadPlan): string {
  if (steps[0]?.driver.kind === 'open') return 'arrivals/s';
  return thinkTimeSeconds === undefined ? 'workers' : 'users';
}
