/**
 * npm run screenshots [-- runs/]
 *
 * The pictures of docs/images, from a folder with the runs `before` and `after`; without one the demo makes them
 * first, in some four minutes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { screenLines } from '../../src/cli/live/live-screen.ts';
import { startDashboard } from '../../src/dashboard/server.ts';
import { parseSegments } from '../../src/host/segments.ts';
import { escapeHtml } from '../../src/report/escape.ts';
import { LiveState } from '../../src/session/live-state.ts';
import { readManifest } from '../../src/session/stored-run.ts';
import { MAIN } from '../support/cli.ts';
import { ROOT } from '../support/paths.ts';
import { openBrowser } from './browser.ts';

const IMAGES = join(ROOT, 'docs', 'images');

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly scheme?: 'dark';
  /** What is scrolled to the top. */
  readonly from?: string;
}

const SHOTS: readonly Shot[] = [
  { name: 'report-light', path: '/runs/before', width: 1200, height: 1180 },
  { name: 'report-dark', path: '/runs/before', width: 1200, height: 1180, scheme: 'dark' },
  { name: 'report-phone', path: '/runs/before', width: 375, height: 1000, from: 'section:has(figure)' },
  { name: 'compare', path: '/compare?before=before&after=after', width: 1200, height: 1900 },
  { name: 'dashboard', path: '/', width: 1200, height: 340 },
];

async function shootPages(browser: Browser, folder: string): Promise<void> {
  const dashboard = await startDashboard(folder, 0);
  const { origin } = new URL(dashboard.url);
  for (const { name, path, width, height, scheme, from } of SHOTS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme ?? 'light',
    });
    const page = await context.newPage();
    await page.goto(dashboard.url);
    await page.goto(`${origin}${path}`);
    if (from !== undefined) await page.evaluate(`document.querySelector('${from}').scrollIntoView()`);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    await context.close();
  }
  await dashboard.close();
}

/** The live screen as it stood after two thirds of the run, drawn from the run's stored seconds. */
async function shootTerminal(browser: Browser, run: string): Promise<void> {
  const { plan, label, service } = await readManifest(run);
  const state = new LiveState(plan);
  const segments = parseSegments(readFileSync(join(run, 'segments.jsonl'), 'utf8'), run);
  for (const segment of segments.slice(0, Math.round((2 * segments.length) / 3)))
    state.takeSegment(segment, plan);
  const head = {
    label,
    url: service.url,
    loadName: 'users',
    serverCount: service.serverCount,
    hasKeys: true,
  };
  const lines = screenLines(state, head, { width: 100, height: 30, color: true });
  const context = await browser.newContext({ viewport: { width: 880, height: 300 } });
  const page = await context.newPage();
  await page.setContent(
    `<body style="margin:0;background:#14181c;color:#e4e8eb"><pre style="font:14px/1.25 'DejaVu Sans Mono',monospace;padding:16px;margin:0">${lines.map(htmlOfAnsi).join('\n')}</pre>`,
  );
  await page.screenshot({ path: join(IMAGES, 'terminal.png') });
  await context.close();
}

const ANSI_STYLES: Readonly<Record<string, string>> = {
  '1': 'font-weight:bold',
  '2': 'opacity:0.6',
  '31': 'color:#ff8a80',
  '32': 'color:#6fcf97',
  '33': 'color:#f0bd5e',
  '36': 'color:#6ab3f0',
};

/** A line with its colours as spans; a reset closes all of them. */
function htmlOfAnsi(line: string): string {
  let open = 0;
  return line
    .split('\u001b[')
    .map((part, i) => {
      const [, code, rest] = (i === 0 ? undefined : /^([\d;]*)m(.*)$/s.exec(part)) ?? ['', '', part];
      const style = ANSI_STYLES[code];
      if (style !== undefined) {
        open += 1;
        return `<span style="${style}">${escapeHtml(rest)}`;
      }
      const closed = i > 0 ? '</span>'.repeat(open) : '';
      if (i > 0) open = 0;
      return closed + escapeHtml(rest);
    })
    .join('');
}

const given = process.argv[2];
const made = given === undefined ? mkdtempSync(join(tmpdir(), 'shipload-test-')) : undefined;
if (made !== undefined)
  execFileSync(process.execPath, [MAIN, 'demo', '-o', join(made, 'runs')], { stdio: 'inherit' });
const place = resolve(given ?? join(made!, 'runs'));
// The pages name the folder as it was given: a reader's is called so, and no path of this machine is pictured.
process.chdir(dirname(place));
const folder = basename(place);
mkdirSync(IMAGES, { recursive: true });
const browser = await openBrowser();
await shootPages(browser, folder);
await shootTerminal(browser, join(folder, 'before'));
await browser.close();
if (made !== undefined) rmSync(made, { recursive: true });
