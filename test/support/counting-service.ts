/**
 * A service that holds every answer for some milliseconds and counts who asked, for tests: `node counting-service.js
 * HOST PORT`. `GET /stats` tells by address how many requests came, when the first and the last came, and the times of
 * all; those of `/stats` are not counted, and those of `/metrics`, where it tells of its CPU time, apart. Times are milliseconds of the machine's monotonic clock.
 */
import { createServer } from 'node:http';

export interface AddressCount {
  count: number;
  firstAtMilliseconds: number;
  lastAtMilliseconds: number;
  /** Reads of `/metrics`. */
  pageCount?: number;
}

const HELD_MILLISECONDS = 4;

function serve(host: string, port: number): void {
  const byAddress = new Map<string, AddressCount>();
  createServer((request, response) => {
    if (request.url === '/stats') {
      response.end(JSON.stringify(Object.fromEntries(byAddress)));
      return;
    }
    const now = Number(process.hrtime.bigint()) / 1e6;
    const address = request.socket.remoteAddress ?? '';
    const known = byAddress.get(address) ?? { count: 0, firstAtMilliseconds: now, lastAtMilliseconds: now };
    byAddress.set(address, known);
    if (request.url === '/metrics') {
      known.pageCount = (known.pageCount ?? 0) + 1;
      const { user, system } = process.cpuUsage();
      response.end(
        `# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total ${(user + system) / 1e6}\n`,
      );
      return;
    }
    known.count += 1;
    known.lastAtMilliseconds = now;
    setTimeout(() => response.end('{}'), HELD_MILLISECONDS);
  })
    .listen(port, host)
    .on('listening', () => process.stdout.write('ready\n'));
}

if (process.argv[1] === import.meta.filename) serve(process.argv[2]!, Number(process.argv[3]));
