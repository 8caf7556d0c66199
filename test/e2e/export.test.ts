import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { freePort } from '../../src/host/free-port.ts';
import type { RunRecord } from '../../src/model/record.ts';
import { runCli, temporaryFolder, twoRoutesCommand } from '../support/cli.ts';
import { readRemoteWrite } from '../support/remote-write-reader.ts';

/** A store of the test's own: keeps what is sent to it, by path. */
async function openStore(t: TestContext) {
  const bodies = new Map<string, Buffer[]>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const isBroken = request.url === '/broken';
      bodies.set(request.url!, [...(bodies.get(request.url!) ?? []), Buffer.concat(parts)]);
      response.writeHead(isBroken ? 503 : 204).end(isBroken ? 'no room' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    last: (path: string) => bodies.get(path)!.at(-1)!,
    count: (path: string) => bodies.get(path)?.length,
  };
}

test('what a run sends while it goes on ends as its own totals; a store that fails does not stop it', async (t) => {
  const folder = temporaryFolder(t);
  const store = await openStore(t);
  const port = await freePort();
  const scrapePort = await freePort();
  const places = [
    `prometheus=:${scrapePort}`,
    ...['otlp', 'influx', 'remote-write'].map((form) => `${form}=${store.origin}/${form}`),
    `influx=${store.origin}/broken`,
  ];
  const words = `run http://127.0.0.1:${port}/items/1 -c 2 -z 7s --warmup 1s -o out`.split(' ');
  const run = runCli(
    [...words, '--start', twoRoutesCommand(port), ...places.flatMap((place) => ['--export', place])],
    folder,
  );
  let scraped = '';
  const scraping = setInterval(() => {
    fetch(`http://127.0.0.1:${scrapePort}/metrics`)
      .then(async (response) => (scraped = await response.text()))
      .catch(() => undefined);
  }, 300);
  const { stderr, code } = await run;
  clearInterval(scraping);
  assert.equal(code, 0, stderr);
  const record = JSON.parse(readFileSync(join(folder, 'out', 'record.json'), 'utf8')) as RunRecord;
  const { sentCount } = record.totals!.byRoute[0]!;
  const otlp = store.last('/otlp').toString();
  const pattern = /"name":"shipload_requests_sent".*?"asDouble":(\d+)/;
  assert.equal(Number(pattern.exec(otlp)![1]), sentCount);
  assert.match(
    store.last('/influx').toString(),
    new RegExp(`^shipload_requests_sent_total,.* value=${sentCount} `, 'm'),
  );
  const sent = readRemoteWrite(store.last('/remote-write')).find(
    ({ labels }) => new Map(labels).get('__name__') === 'shipload_requests_sent_total',
  );
  assert.equal(sent!.value, sentCount);
  assert.ok(store.count('/otlp')! >= 2, 'it is also sent while the run goes on');
  assert.match(scraped, /^shipload_requests_sent_total\{.*\} \d+$/m);
  assert.equal(stderr.match(/answered 503 no room/g)?.length, 1);

  const lines = await runCli(['export', 'out', '--to', 'influx', '--quiet'], folder);
  const stored = lines.stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('shipload_requests_sent_total'));
  assert.match(stored.at(-1)!, new RegExp(` value=${sentCount} `));
  const charts = await runCli(['export', 'out', '--to', 'svg', '-o', 'charts'], folder);
  assert.equal(charts.code, 0, charts.stderr);
  assert.ok(readdirSync(join(folder, 'charts')).includes('time-cpu.svg'));
  const refused = await runCli(['export', 'out', '--to', `influx=${store.origin}/broken`], folder);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /503 no room \[export-failed\]/);
});
