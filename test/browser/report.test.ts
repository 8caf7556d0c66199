import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { renderComparisonHtml } from '../../src/report/comparison-html.ts';
import { renderCsv } from '../../src/report/csv.ts';
import { renderHtml } from '../../src/report/html.ts';
import { withCounters } from '../support/sample-counters.ts';
import {
  sampleAfterRecord,
  sampleComparison,
  samplePoolRecord,
  sampleRecord,
} from '../support/sample-record.ts';
import { assertAccessible, assertFitsWidth, openBrowser, withoutBrowser } from './browser.ts';

const full = withCounters(sampleRecord());
const PAGES: Readonly<Record<string, string>> = {
  before: renderHtml(full),
  after: renderHtml(sampleAfterRecord()),
  sweep: renderHtml(samplePoolRecord()),
  compare: renderComparisonHtml(sampleComparison(), sampleRecord(), sampleAfterRecord()),
};

const skip = withoutBrowser;
const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
let browser: Browser;

before(async () => {
  for (const [name, page] of Object.entries(PAGES)) writeFileSync(join(folder, `${name}.html`), page);
  if (skip === false) browser = await openBrowser();
});
after(async () => {
  if (skip === false) await browser.close();
  rmSync(folder, { recursive: true });
});

async function open(name: string, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage();
  page.on('console', (message) => assert.fail(`${name}: ${message.text()}`));
  page.on('pageerror', (error) => assert.fail(`${name}: ${error.message}`));
  await page.goto(`file://${join(folder, `${name}.html`)}`);
  return page;
}

for (const name of Object.keys(PAGES))
  for (const scheme of name === 'compare' ? (['light', 'dark'] as const) : (['light'] as const))
    test(
      `the ${name} report, ${scheme}: axe finds nothing, on a page and on a telephone`,
      { skip },
      async () => {
        for (const width of name === 'before' ? [1280, 375] : [375]) {
          const page = await open(name, width, scheme);
          // Tables of a value a second are alike; the first few of each page stand for all.
          await page.evaluate(
            "[...document.querySelectorAll('details')].slice(0, 4).forEach((one) => { one.open = true; })",
          );
          await assertAccessible(page);
          await page.context().close();
        }
      },
    );

test('the reports fit every screen from a telephone to a wall', { skip }, async () => {
  for (const name of ['before', 'compare']) {
    const page = await open(name);
    for (const width of [375, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await assertFitsWidth(page);
    }
    await page.context().close();
  }
});

test('on a telephone the words of a wide table stay on the screen', { skip }, async () => {
  const page = await open('before', 375);
  const ends = await page.evaluate<readonly number[]>(
    "[...document.querySelectorAll('.scroll caption span')].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().right)",
  );
  assert.ok(ends.length > 2);
  assert.ok(Math.max(...ends) <= 375, String(Math.max(...ends)));
  await page.context().close();
});

test('text in the charts is at least 10 px high on a telephone', { skip }, async () => {
  const page = await open('before', 375);
  const heights = await page.evaluate<readonly number[]>(`[...document.querySelectorAll('svg text')]
    .filter((one) => one.checkVisibility())
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)`);
  assert.ok(heights.length > 20);
  assert.ok(Math.min(...heights) >= 10, String(Math.min(...heights)));
  await page.context().close();
});

test('the step table is sorted by the keyboard alone, up and down', { skip }, async () => {
  const page = await open('before');
  const cells = async (column: number): Promise<readonly number[]> =>
    await page.evaluate<readonly number[]>(
      `[...document.querySelector('table.sortable').tBodies[0].rows].map((row) => parseFloat(row.cells[${column}].textContent))`,
    );
  await page.getByRole('button', { name: 'X/s' }).focus();
  await page.keyboard.press('Enter');
  const rising = await cells(3);
  assert.deepEqual(
    rising,
    rising.toSorted((a, b) => a - b),
  );
  await page.keyboard.press('Enter');
  assert.deepEqual(await cells(3), rising.toReversed());
  assert.equal(await page.locator('th[aria-sort=descending]').count(), 1);
  await page.context().close();
});

test('the steps are copied as the CSV of the export', { skip }, async () => {
  const page = await open('before');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('The steps as CSV').click();
  await page.getByRole('button', { name: 'Copy the CSV' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(copied, renderCsv(full).replaceAll('\r', ''));
  await page.context().close();
});

test('evidence leads to its points in the charts and its row in the table', { skip }, async () => {
  const page = await open('before');
  const radius = (): Promise<unknown> =>
    page.evaluate(`getComputedStyle(document.querySelector('svg.wide .dot.step-5')).r`);
  assert.equal(await radius(), '3px');
  await page.locator('a[href="#at-5"]').first().focus();
  await page.keyboard.press('Enter');
  assert.equal(await radius(), '6px');
  const row = await page.evaluate(`getComputedStyle(document.querySelector('tr.step-5')).backgroundColor`);
  assert.notEqual(row, 'rgba(0, 0, 0, 0)');
  await page.context().close();
});

test('without scripts everything is there', { skip }, async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${join(folder, 'before.html')}`);
  assert.equal(await page.locator('figure').count(), 7);
  assert.equal(await page.locator('table.sortable tbody tr').count(), full.analysis.steps.length);
  assert.equal(await page.getByRole('button', { name: 'Copy the CSV' }).count(), 0);
  await context.close();
});

test('printed, a report is a handful of pages without what only a screen needs', { skip }, async () => {
  const page = await open('before');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(pages >= 2 && pages <= 9, `${pages} pages`);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('summary').first().isVisible(), false);
  assert.equal(await page.locator('svg.wide').first().isVisible(), true);
  await page.context().close();
});
