import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Dashboard, startDashboard } from '../../src/dashboard/server.ts';
import { RunFolder } from '../../src/host/run-folder.ts';
import type { RunRecord } from '../../src/model/record.ts';
import { sampleAfterRecord, sampleRecord } from '../support/sample-record.ts';
import { closedStep } from '../support/simulate.ts';
import { thinkingUsers } from '../support/thinking-users.ts';
import { assertAccessible, assertFitsWidth, openBrowser, withoutBrowser } from './browser.ts';

const skip = withoutBrowser;
const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
let browser: Browser;
let dashboard: Dashboard;
let context: BrowserContext;

before(async () => {
  if (skip !== false) return;
  store('before', '2026-11-01', sampleRecord());
  store('after', '2026-11-02', sampleAfterRecord());
  browser = await openBrowser();
  dashboard = await startDashboard(folder, 0);
  context = await browser.newContext();
});
after(async () => {
  if (skip === false) {
    await browser.close();
    await dashboard.close();
  }
  rmSync(folder, { recursive: true });
});

function store(name: string, day: string, record: RunRecord): void {
  const manifest = { ...record.manifest, startedAt: `${day}T10:00:00.000Z` };
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'run.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, name, 'record.json'), JSON.stringify({ ...record, manifest }));
}

async function openList(): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => assert.fail(error.message));
  page.on('console', (message) => message.type() === 'error' && assert.fail(message.text()));
  await page.goto(dashboard.url);
  return page;
}

test('the list is clean for axe and fits a telephone and a wall', { skip }, async () => {
  const page = await openList();
  await assertAccessible(page);
  for (const width of [375, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await assertFitsWidth(page);
  }
  await page.close();
});

test('two runs are chosen and compared, and a run is opened, by the keyboard alone', { skip }, async () => {
  const page = await openList();
  await page.getByRole('radio', { name: 'before as before' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('radio', { name: 'after as after' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/compare\?(?=.*before=before)(?=.*after=after)/);
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'before → after');
  await assertAccessible(page);
  // Tab leads to the first link of the page: back to the list.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'before', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/before/);
  await assertAccessible(page);
  await page.close();
});

test('sorted by when they started, the runs stand in the order of their times', { skip }, async () => {
  const page = await openList();
  const started = page.getByRole('button', { name: 'started' });
  const times = (): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>(
      "[...document.querySelector('table.sortable').tBodies[0].rows].map((row) => row.cells[7].textContent)",
    );
  await started.click();
  const rising = await times();
  assert.deepEqual(rising, rising.toSorted());
  assert.notEqual(rising[0], rising.at(-1));
  await started.click();
  assert.deepEqual(await times(), rising.toReversed());
  await page.close();
});

test('a live run moves by itself, is clean for axe, and becomes its report', { skip }, async () => {
  const { plan, events } = thinkingUsers([closedStep(0, 10, 2, 8)]);
  const record = sampleRecord();
  const manifest = { ...record.manifest, label: 'now', state: 'running', plan } as const;
  const run = await RunFolder.create(join(folder, 'now'), manifest);
  const page = await openList();
  await page.getByRole('link', { name: 'now' }).click();
  for (const event of events)
    if (event.kind === 'frame') run.appendSegment({ frame: event.frame, sample: event.sample });
  await page.locator('#live svg').first().waitFor({ state: 'attached' });
  await assertAccessible(page);
  await page.setViewportSize({ width: 375, height: 900 });
  await assertFitsWidth(page);
  await run.write(
    'record.json',
    JSON.stringify({ ...record, manifest: { ...manifest, state: 'completed' } }),
  );
  await run.close();
  await page.getByRole('heading', { name: 'Targets' }).waitFor();
  await page.close();
});
