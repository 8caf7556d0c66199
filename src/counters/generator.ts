import { uptime } from 'node:os';
import type { CounterReading, CounterSource } from './counter-source.ts';

const BEAT_SECONDS = 0.02;

/** User and system time of all threads of this process, seconds. */
function processCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Counters of this process, which makes the load.
 *
 * - `cpuSeconds`: cumulative, as `readCpuSeconds` has it (the whole process); capacity `coreCount`.
 * - `eventLoopDelayMaxSeconds`: how late the event loop was at worst since the last reading, a delay that still
 *   goes on included. Delays below a beat (20 ms) are seen only when a beat falls into them.
 * - `suspendedSeconds`: cumulative, how long the machine slept: the time since boot counts sleep, the monotonic
 *   clock does not.
 * - `clockStepSeconds`: cumulative, how far the wall clock was set against the time since boot.
 *
 * @param coreCount cores the generator may use: one per worker thread.
 */
export function createGeneratorSource(coreCount = 1, readCpuSeconds = processCpuSeconds): CounterSource {
  const delay = watchEventLoop();
  const clocks = watchClocks();
  let gone = false;
  return {
    name: 'generator',
    get gone() {
      return gone;
    },
    read() {
      return [
        {
          source: 'generator',
          quantity: 'cpuSeconds',
          unit: 'seconds',
          kind: 'cumulative',
          capacity: coreCount,
          value: readCpuSeconds(),
        },
        {
          source: 'generator',
          quantity: 'eventLoopDelayMaxSeconds',
          unit: 'seconds',
          kind: 'gauge',
          value: delay.takeMaxSeconds(),
        },
        ...clocks.read(),
      ];
    },
    close() {
      gone = true;
      delay.stop();
    },
  };
}

/** Three clocks from one start: monotonic, since boot, and wall; what they disagree on is sleep or a step. */
function watchClocks(): { read(): readonly CounterReading[] } {
  const elapsed = (): { monotonic: number; boot: number; wall: number } => ({
    monotonic: performance.now() / 1000,
    boot: uptime(),
    wall: Date.now() / 1000,
  });
  const start = elapsed();
  const reading = (quantity: string, value: number): CounterReading => ({
    source: 'generator',
    quantity,
    unit: 'seconds',
    kind: 'cumulative',
    value: Math.round(value * 100) / 100,
  });
  return {
    read() {
      const now = elapsed();
      const boot = now.boot - start.boot;
      return [
        reading('suspendedSeconds', boot - (now.monotonic - start.monotonic)),
        reading('clockStepSeconds', now.wall - start.wall - boot),
      ];
    },
  };
}

/**
 * A beat of its own rather than perf_hooks' monitorEventLoopDelay: that one forgets, at every reset, the
 * interval in which it was reset, and so misses a delay right after a reading.
 */
function watchEventLoop(): { takeMaxSeconds(): number; stop(): void } {
  let lastBeat = performance.now();
  let maxSeconds = 0;
  const lateSeconds = (): number => Math.max(0, (performance.now() - lastBeat) / 1000 - BEAT_SECONDS);
  const timer = setInterval(() => {
    maxSeconds = Math.max(maxSeconds, lateSeconds());
    lastBeat = performance.now();
  }, BEAT_SECONDS * 1000);
  timer.unref();
  return {
    takeMaxSeconds() {
      const taken = Math.max(maxSeconds, lateSeconds());
      maxSeconds = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
