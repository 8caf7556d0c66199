import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../test/support/cli.ts';
import { sampleAfterRecord, sampleRecord } from '../../test/support/sample-record.ts';
import { closedStep, request, simulatePlan } from '../../test/support/simulate.ts';
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
  mkdirSync(join(folder, name));
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
  assert.equal((await browser.get('/', { cookie: 'shipload=wrong' })).status, 403);
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

test('a live run streams its seconds and says when its record is there', async (t) => {
  const browser = await open(t);
  const plan = {
    seed: 7,
    shape: 'steps',
    requests: [request('/a', 1)],
    thinkTimeSeconds: { kind: 'constant', meanSeconds: 1 },
    requestTimeoutSeconds: 30,
    steps: [closedStep(0, 10, 2, 8)],
  } as const;
  const { events } = simulatePlan(plan, {
    stations: [{ name: 'cpu', serverCount: 1 }],
    visits: { 'GET /a': [{ station: 'cpu', service: { kind: 'constant', meanSeconds: 0.01 } }] },
  });
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
