import type { CounterSeries, Frame } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';

/** A frame is cut every second; one that is this much longer means that nothing ran in between. */
const LONGEST_FRAME_SECONDS = 2.5;
/** Readings of two clocks are this far apart at most where nothing happened. */
const CLOCK_TOLERANCE_SECONDS = 0.5;
/** What the system says when this process has no more descriptors, ports or buffers. */
const OWN_LIMITS: readonly string[] = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'EAGAIN'];

/**
 * What was wrong with the generator itself during a window: it stood still (stopped, starved, or the machine
 * suspended), or ran out of something of its own. Such a step says nothing of the service. Steps of the wall
 * clock are told only to explain logs of the service: all times here are monotonic.
 */
export function generatorNotices(frames: readonly Frame[], counters: readonly CounterSeries[]): Notice[] {
  const notices = [
    stoodStill(frames),
    suspended(counters),
    outOfResources(frames),
    heldBack(frames),
    clockStepped(counters),
  ];
  return notices.filter((notice) => notice !== undefined);
}

function stoodStill(frames: readonly Frame[]): Notice | undefined {
  const gaps = frames
    .map((frame) => frame.endedAtSeconds - frame.startedAtSeconds)
    .filter((seconds) => seconds > LONGEST_FRAME_SECONDS);
  if (gaps.length === 0) return undefined;
  const longest = Math.max(...gaps);
  return {
    code: 'generator-stood-still',
    severity: 'red-flag',
    message: `the generator itself stood still for ${(longest - 1).toFixed(1)} s, so the load was not there`,
    advice: 'it was stopped, starved of CPU, or the machine slept: run the step again',
  };
}

function suspended(counters: readonly CounterSeries[]): Notice | undefined {
  const seconds = spanOf(counters, 'suspendedSeconds');
  if (Math.abs(seconds) <= CLOCK_TOLERANCE_SECONDS) return undefined;
  return {
    code: 'machine-suspended',
    severity: 'red-flag',
    message: `the machine was suspended for ${seconds.toFixed(1)} s within the window`,
    advice: 'keep the machine awake (systemd-inhibit, caffeinate) and run the step again',
  };
}

function outOfResources(frames: readonly Frame[]): Notice | undefined {
  const counts = OWN_LIMITS.map(
    (code) => [code, frames.reduce((sum, frame) => sum + (frame.errorCodes[code] ?? 0), 0)] as const,
  ).filter(([, count]) => count > 0);
  if (counts.length === 0) return undefined;
  return {
    code: 'generator-out-of-resources',
    severity: 'red-flag',
    message: `the generator ran out of its own means: ${counts.map(([code, count]) => `${code} ${count} times`).join(', ')}`,
    advice: 'raise the limit of open files (ulimit -n) or the port range; shipload doctor names the lines',
  };
}

/** A few requests that waited for the ceiling are told; more than one in a hundred is another load than was asked for. */
function heldBack(frames: readonly Frame[]): Notice | undefined {
  const held = frames.reduce((sum, { transport }) => sum + (transport?.heldCount ?? 0), 0);
  if (held <= 0) return undefined;
  const sent = frames.reduce(
    (sum, frame) => sum + frame.routes.reduce((total, route) => total + route.sentCount, 0),
    0,
  );
  return {
    code: 'held-at-ceiling',
    severity: held > 0.01 * sent ? 'red-flag' : 'warning',
    message: `the ceiling of the rate held back ${held} of ${sent} requests: their waiting is in the response times`,
    advice: 'ask for less load, or raise the ceiling where it is yours to raise (--max-rate, shipload allow)',
  };
}

function clockStepped(counters: readonly CounterSeries[]): Notice | undefined {
  const seconds = spanOf(counters, 'clockStepSeconds');
  if (Math.abs(seconds) <= CLOCK_TOLERANCE_SECONDS) return undefined;
  return {
    code: 'wall-clock-stepped',
    severity: 'info',
    message: `the wall clock was set ${seconds > 0 ? 'forward' : 'back'} by ${Math.abs(seconds).toFixed(1)} s; the run is timed by the monotonic clock and not touched by it`,
    advice: 'times in logs of the service may not be compared across the step',
  };
}

/** Last minus first value of one of the generator's own counters; 0 where it was not recorded. */
function spanOf(counters: readonly CounterSeries[], quantity: string): number {
  const points = counters.find((c) => c.source === 'generator' && c.quantity === quantity)?.points ?? [];
  return (points.at(-1)?.[1] ?? 0) - (points[0]?.[1] ?? 0);
}
