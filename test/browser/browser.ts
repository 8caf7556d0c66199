import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's. Continuous integration installs it; elsewhere these tests are skipped where there is none. */
export const CHROMIUM = '/usr/bin/chromium';

/** For the `skip` of a test. */
export const withoutBrowser: string | false = existsSync(CHROMIUM) ? false : `needs ${CHROMIUM}`;

export function openBrowser(): Promise<Browser> {
  // Containers run as root, where Chromium has no sandbox; the pages are our own.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
}

/** Fails with what axe finds on a page as it is now, best practices included. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated from outside, so the page's policy needs no hole for it.
  await page.evaluate(AXE);
  const result = await page.evaluate<AxeResult>('axe.run()');
  const found = result.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => [target.join(' '), failureSummary]),
  }));
  assert.deepEqual(found, []);
}

/** Fails where the page itself must be scrolled sideways; tables scroll in a region of their own. */
export async function assertFitsWidth(page: Page): Promise<void> {
  const [content, width] = await page.evaluate<readonly [number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  assert.ok(content <= width, `${content} px of content in ${width} px`);
}
