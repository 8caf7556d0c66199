import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../test/support/cli.ts';
import { sampleAfterRecord, sampleRecord } from '../../test/support/sample-record.ts';
import { closedStep } from '../../test/support/simulate.ts';
import { thinkingUsers } from '../../test/support/thinking-users.ts';
import { RunFolder } from '../host/run-folder.ts';
import { PAGE_SCRIPT_HASH } from '../report/html-script.ts';
import type { RunManifest, RunRecord } from '../model/record.ts';
import { startDashboard } from './server.ts';

interface Browser {
  readonly origin: string;
  readonly folder: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

function store(folder: string, name: string, record: RunRecord): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'run.json'), JSON.stringify(record.manifest));
  writeFileSync(join(folder, name, 'record.json'), JSON.stringify(record));
}

const startedOn = (day: string, record: RunRecord): RunRecord => ({
  ...record,
  manifest: { ...record.manifest, startedAt: `${day}T10:00:00.000Z` },
});

/** A dashboard over two runs, and a browser that has opened it with the token. */
async function open(t: TestContext): Promise<Browser> {
  const folder = temporaryFolder(t);
  store(folder, 'before', startedOn('2026-11-01', sampleRecord()));
  store(folder, 'after', startedOn('2026-11-02', sampleAfterRecord()));
  mkdirSync(join(folder, 'no-run'));
  writeFileSync(join(folder, 'no-run', 'record.json'), '{"manifest": 1');
  const dashboard = await startDashboard(folder, 0);
  t.after(() => dashboard.close());
  const { origin } = new URL(dashboard.url);
  const entered = await fetch(dashboard.url, { redirect: 'manual' });
  assert.equal(entered.status, 303);
  const cookie = entered.headers.get('set-cookie')!;
  assert.match(cookie, /HttpOnly; SameSite=Strict/);
  const held = cookie.split(';')[0]!;
  return {
    origin,
    folder,
    get: (path, headers = {}) => fetch(`${origin}${path}`, { headers: { cookie: held, ...headers } }),
  };
}

test('runs are listed newest first with their decisions; a folder that is no run does no harm', async (t) => {
  const browser = await open(t);
  const page = await (await browser.get('/')).text();
  assert.match(page, /2 runs in/);
  assert.ok(page.indexOf('href="/runs/after"') < page.indexOf('href="/runs/before"'));
  assert.match(page, /badge bad">FAIL/);
  assert.match(page, /badge good">PASS/);
});

test('a run is its report, two runs are a comparison, and anything else is told in words', async (t) => {
  const browser = await open(t);
  assert.match(await (await browser.get('/runs/before')).text(), /<h1>Load test: /);
  const comparison = await (await browser.get('/compare?before=before&after=after')).text();
  assert.match(comparison, /<h1>before → after<\/h1>/);
  for (const [path, status] of [
    ['/runs/nothing', 404],
    ['/runs/..%2f..%2fetc', 404],
    ['/runs/%E0%A4', 404],
    ['/compare?before=before', 400],
    ['/elsewhere', 404],
  ] as const) {
    assert.equal((await browser.get(path)).status, status, path);
  }
});

test('without the token, from another origin, or under another host nothing is told', async (t) => {
  const browser = await open(t);
  assert.equal((await fetch(`${browser.origin}/`)).status, 403);
  assert.equal((await fetch(`${browser.origin}/?token=${'0'.repeat(32)}`)).status, 403);
  assert.equal((await browser.get('/', { origin: 'http://elsewhere.example' })).status, 403);
  assert.equal(
    (await browser.get('/', { cookie: `shipload-${new URL(browser.origin).port}=wrong` })).status,
    403,
  );
  const { request: send } = await import('node:http');
  const status = await new Promise((resolve) => {
    send(`${browser.origin}/`, { headers: { host: 'rebound.example' } }, (answer) =>
      resolve(answer.statusCode),
    ).end();
  });
  assert.equal(status, 403);
});

test('every page forbids what it does not need: foreign scripts, frames, forms to elsewhere', async (t) => {
  const browser = await open(t);
  for (const path of ['/', '/runs/before', '/nothing']) {
    const policy = (await browser.get(path)).headers.get('content-security-policy')!;
    for (const rule of [
      "default-src 'none'",
      `script-src '${PAGE_SCRIPT_HASH}';`,
      "frame-ancestors 'none'",
      "form-action 'self'",
    ])
      assert.ok(policy.includes(rule), `${path}: ${policy}`);
  }
});

test('runs of a set and of a demo are listed by their place, opened and compared', async (t) => {
  const browser = await open(t);
  store(browser.folder, 'demo-1/before', sampleRecord());
  store(browser.folder, 'sets/five/1', sampleAfterRecord());
  const page = await (await browser.get('/')).text();
  assert.match(page, /4 runs in/);
  assert.match(page, /href="\/runs\/demo-1%2Fbefore">before<\/a> <small>demo-1\/before</);
  assert.equal((await browser.get('/runs/sets%2Ffive%2F1')).status, 200);
  const compared = await browser.get('/compare?before=before&after=demo-1%2Fbefore');
  // Two sides of one label are told apart.
  assert.match(await compared.text(), /<h1>before → before \(after\)<\/h1>/);
  assert.equal((await browser.get('/runs/demo-1%2F..%2Fbefore')).status, 404);
});

test('a run that was killed is told from one that goes on, and gives what it measured', async (t) => {
  const browser = await open(t);
  const manifest = { ...sampleRecord().manifest, state: 'running' };
  for (const name of ['killed', 'live']) {
    mkdirSync(join(browser.folder, name));
    for (const file of ['run.json', 'segments.jsonl'])
      writeFileSync(join(browser.folder, name, file), file === 'run.json' ? JSON.stringify(manifest) : '');
  }
  for (const file of ['run.json', 'segments.jsonl'])
    utimesSync(join(browser.folder, 'killed', file), new Date(0), new Date(0));
  const page = await (await browser.get('/')).text();
  const rowOf = (name: string): string => page.split('<tr>').find((row) => row.includes(`/runs/${name}"`))!;
  assert.match(rowOf('killed'), /badge doubt">silent/);
  assert.match(rowOf('killed'), /type="radio"/);
  assert.match(rowOf('live'), /badge doubt">running/);
  assert.doesNotMatch(rowOf('live'), /type="radio"/);
  const reader = (await browser.get('/runs/killed/events')).body!.getReader();
  const { value } = await reader.read();
  assert.match(new TextDecoder().decode(value), /Silent.*href=.{0,2}"\?report/);
  await reader.cancel();
  assert.equal((await browser.get('/runs/killed?report')).status, 200);
});

test('a record that cannot be read is told in the list, and its page does not load itself again', async (t) => {
  const browser = await open(t);
  mkdirSync(join(browser.folder, 'broken'));
  const manifest = { ...sampleRecord().manifest, state: 'running' };
  writeFileSync(join(browser.folder, 'broken', 'run.json'), JSON.stringify(manifest));
  writeFileSync(join(browser.folder, 'broken', 'record.json'), '{"manifest": {');
  assert.match(await (await browser.get('/')).text(), /badge bad">record not readable/);
  const page = await browser.get('/runs/broken');
  assert.equal(page.status, 500);
  assert.doesNotMatch(await page.text(), /EventSource/);
});

test('two dashboards of one browser do not take each other’s cookie', async (t) => {
  const cookies = await Promise.all(
    [0, 0].map(async () => {
      const dashboard = await startDashboard(temporaryFolder(t), 0);
      t.after(() => dashboard.close());
      const entered = await fetch(dashboard.url, { redirect: 'manual' });
      return {
        origin: new URL(dashboard.url).origin,
        cookie: entered.headers.get('set-cookie')!.split(';')[0]!,
      };
    }),
  );
  // What a browser sends, as it keeps one cookie for each name of a host, whatever the port.
  const jar = new Map(cookies.map(({ cookie }) => cookie.split('=') as [string, string]));
  const sent = [...jar].map((pair) => pair.join('=')).join('; ');
  for (const { origin } of cookies)
    assert.equal((await fetch(origin, { headers: { cookie: sent } })).status, 200);
});

test('a live run streams its seconds and says when its record is there', async (t) => {
  const browser = await open(t);
  const { plan, events } = thinkingUsers([closedStep(0, 10, 2, 8)]);
  const manifest: RunManifest = { ...sampleRecord().manifest, label: 'now', state: 'running', plan };
  const folder = await RunFolder.create(join(browser.folder, 'now'), manifest);
  assert.match(await (await browser.get('/')).text(), /running/);
  const page = await browser.get('/runs/now');
  assert.match(page.headers.get('content-security-policy')!, /script-src '[^;]* 'nonce-/);
  const stream = await browser.get('/runs/now/events');
  for (const event of events) {
    if (event.kind === 'frame') folder.appendSegment({ frame: event.frame, sample: event.sample });
  }
  await folder.flush();
  await folder.write('record.json', JSON.stringify({ ...sampleRecord(), manifest }));
  await folder.close();
  const told = await stream.text();
  assert.match(told, /event: second\ndata: "[^\n]*throughput[^\n]*\/s/);
  assert.match(told, /event: finished\n/);
});
