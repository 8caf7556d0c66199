import { fileURLToPath } from 'node:url';
import { machineText, runPinned, startTarget } from './machine.ts';

/**
 * Memory of the generator: its growth from the first 100,000 requests to ten million, and what ten thousand users
 * with 2 s of think time take. Over sockets the requests are bounded by time; the driver with all its records
 * reaches ten million without them. Usage: memory [SECONDS].
 */
const SECONDS = Number(process.argv[2] ?? 60);
const REQUESTS = 10_000_000;
const loop = fileURLToPath(new URL('./memory-loop.js', import.meta.url));

function measure(port: number, users: number, thinkSeconds: number, seconds: number): readonly number[] {
  const figures = [port, users, thinkSeconds, REQUESTS, seconds].map(String);
  return runPinned([process.execPath, '--expose-gc', loop, ...figures])
    .trim()
    .split(' ')
    .map(Number);
}

const kept = (isKept: boolean): string => (isKept ? 'kept' : 'MISSED');

function printGrowth(name: string, [requests = 0, growthMb = 0, peakMb = 0]: readonly number[]): void {
  console.log(
    `  ${name}: ${requests} requests, memory in use grew by ${growthMb} MB since the first 100,000 ` +
      `(under 8: ${kept(growthMb < 8)}), peak RSS ${peakMb} MB`,
  );
}

const target = await startTarget();
try {
  console.log(machineText());
  printGrowth('driver and records alone', measure(0, 64, 0, 4 * SECONDS));
  printGrowth(`over sockets, ${SECONDS} s`, measure(target.port, 64, 0, SECONDS));
  const [requests = 0, , peakMb = 0] = measure(target.port, 10_000, 2, Math.min(SECONDS, 20));
  console.log(
    `  10,000 users with 2 s think time: ${requests} requests, peak RSS ${peakMb} MB (under 150: ${kept(peakMb < 150)})`,
  );
} finally {
  target.stop();
}
