import type { CounterSource } from './counter-source.ts';

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
 *
 * @param coreCount cores the generator may use: one per worker thread.
 */
export function createGeneratorSource(coreCount = 1, readCpuSeconds = processCpuSeconds): CounterSource {
  const delay = watchEventLoop();
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
      ];
    },
    close() {
      gone = true;
      delay.stop();
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
