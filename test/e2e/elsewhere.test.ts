import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { ReportDocument } from '../../src/model/documents.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';

/** What a request costs, so that the CPU of a short step is far above its counter's resolution. */
const BUSY_MILLISECONDS = 4;

function closeAfter(t: TestContext, server: Server): void {
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** A service of which no process can be found, as behind a socket or on another machine, and its page of metrics. */
async function listenElsewhere(t: TestContext, folder: string) {
  let served = 0;
  const service = createServer((_, response) => {
    const until = performance.now() + BUSY_MILLISECONDS;
    while (performance.now() < until);
    served += 1;
    response.end('ok');
  });
  // The page tells what the service's requests cost, not what this test process does beside them.
  const metrics = createServer((_, response) => {
    const seconds = (served * BUSY_MILLISECONDS) / 1000;
    response.end(`# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total ${seconds}\n`);
  });
  closeAfter(t, service);
  closeAfter(t, metrics);
  const socket = join(folder, 'service.sock');
  await new Promise<void>((resolve) => service.listen(socket, resolve));
  await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
  return { socket, page: `http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics` };
}

for (const { title, cores } of [
  { title: 'with --cores U and D', cores: ['--cores', '2'] },
  { title: 'without it D, and that the cores are not known', cores: [] },
])
  test(`process_cpu_seconds_total of a service that is no process here gives ${title}`, async (t) => {
    const folder = temporaryFolder(t);
    const { socket, page } = await listenElsewhere(t, folder);
    const load = ['-c', '1,2', '-z', '2s', '--warmup', '200ms', '--unix-socket', socket, '--metrics', page];
    const { code, stdout, stderr } = await runCli(
      ['run', 'http://localhost/', ...load, ...cores, '-o', 'out', '--json'],
      folder,
    );
    assert.equal(code, 0, stderr);
    const { steps, notices } = JSON.parse(stdout) as ReportDocument;
    for (const { serviceDemandSeconds, utilizationRatio, throughputPerSecond } of steps) {
      const demand = serviceDemandSeconds['cpu']!;
      // B/T is over the two or three readings of the page in a window of 2 s, X over the window: on a busy machine
      // the rate differs between the two. A mistake of cores or of a unit is a factor of 2 or more.
      assert.ok(Math.abs(demand / (BUSY_MILLISECONDS / 1000) - 1) < 0.4, `D ${demand}`);
      const use = cores.length === 0 ? undefined : (throughputPerSecond * demand) / 2;
      assert.equal(utilizationRatio['cpu']?.toFixed(6), use?.toFixed(6));
    }
    assert.equal(
      notices.some((notice) => notice.code === 'cores-unknown'),
      cores.length === 0,
    );
  });
