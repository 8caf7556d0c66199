import type { LoadPlan } from '../model/load.ts';
import { escapeHtml, printable } from '../report/escape.ts';
import { badge, banner, htmlFrame, htmlList, htmlSection } from '../report/html-layout.ts';
import { htmlTable } from '../report/html-table.ts';
import * as q from '../report/quantities.ts';
import { DECISION_WORDS, type Word } from '../report/words.ts';
import type { LiveState } from '../session/live-state.ts';
import { liveCharts } from './live-charts.ts';
import type { ListedRun } from './run-list.ts';
import { DASHBOARD_STYLE } from './style.ts';

const runLink = (name: string): string => `/runs/${encodeURIComponent(name)}`;

/** A page of the dashboard itself. `script` runs under the page's nonce. */
export function page(
  title: string,
  body: string,
  script?: { readonly nonce: string; readonly code: string },
) {
  return htmlFrame(printable(title), {
    style: DASHBOARD_STYLE,
    body: [body],
    scripts: script === undefined ? [] : [`<script nonce="${script.nonce}">${script.code}</script>`],
  });
}

/** Links that stand above a report. */
export const NAVIGATION = `<style>${DASHBOARD_STYLE}</style>\n<nav aria-label="Dashboard"><a href="/">All runs</a></nav>`;

/** The runs, newest first, and two columns to choose the sides of a comparison. */
export function listPage(runs: readonly ListedRun[], folder: string): string {
  const head = `<header><h1>Load tests</h1><p>${escapeHtml(`${q.counted(runs.length, 'run')} in ${folder}`)}</p></header>`;
  if (runs.length === 0) {
    const hint = htmlList([`shipload demo`, `shipload run access.log --url http://127.0.0.1:8080`]);
    return page(
      'Load tests',
      `<main>${head}${htmlSection('No run here yet', `<p>A run is written here by:</p>${hint}`)}</main>`,
    );
  }
  const columns = [
    { heading: 'before' },
    { heading: 'after' },
    { heading: 'run', left: true },
    { heading: 'decision', left: true },
    { heading: 'most X/s', hint: 'throughput: successful completions per second, highest valid step' },
    { heading: 'steps' },
    { heading: 'service', left: true },
    { heading: 'started', left: true },
  ];
  const rows = runs.map((run) => {
    const label = escapeHtml(printable(run.label));
    const choose = (side: 'before' | 'after'): string =>
      run.state === 'running' && !run.isSilent
        ? ''
        : `<input type="radio" name="${side}" value="${escapeHtml(run.name)}" aria-label="${label} as ${side}">`;
    return [
      choose('before'),
      choose('after'),
      `<a href="${runLink(run.name)}">${label}</a>${placeOf(run)}`,
      badge(stateWord(run)),
      q.rateFigure(run.peakThroughputPerSecond),
      String(run.stepCount),
      escapeHtml(printable(run.url)),
      escapeHtml(run.startedAt.replace('T', ' ').replace(/\..*$/, '')),
    ];
  });
  const table = htmlTable(
    columns,
    rows,
    'Times are UTC. Choose one run in each of the first two columns to compare them.',
    { isSortable: true },
  );
  const form = `<form action="/compare" method="get">${table}<div class="actions"><button type="submit">Compare the two</button></div></form>`;
  return page('Load tests', `<main class="wide">${head}${form}</main>`);
}

/** Where a run lies that is not called as its folder. */
const placeOf = ({ name, label }: ListedRun): string =>
  name === label ? '' : ` <small>${escapeHtml(printable(name))}</small>`;

function stateWord({ state, decision, isBroken, isSilent }: ListedRun): Word {
  if (isBroken) return { word: 'record not readable', tone: 'bad' };
  if (isSilent) return { word: 'silent', tone: 'doubt' };
  if (decision !== undefined) return DECISION_WORDS[decision];
  return state === 'running' ? { word: 'running', tone: 'doubt' } : { word: state, tone: 'plain' };
}

/** The frame of a live run: what changes every second is fetched as a stream of fragments. */
export function livePage(run: ListedRun, nonce: string): string {
  const title = escapeHtml(printable(run.label));
  const body = [
    '<nav aria-label="Dashboard"><a href="/">All runs</a></nav>',
    '<main class="wide">',
    `<header><h1>Load test: ${title}</h1><p>${escapeHtml(printable(run.url))}</p></header>`,
    '<div id="live"><p>Waiting for the first second.</p></div>',
    `<noscript><p>Without scripts this page does not move; reload it for the report when the run has ended.</p></noscript>`,
    '</main>',
  ].join('\n');
  return page(`${run.label}: running`, body, { nonce, code: liveScript(`${runLink(run.name)}/events`) });
}

/** Fragments replace one another; the end of the run loads the report. */
const liveScript = (events: string): string => `
const source = new EventSource(${JSON.stringify(events)});
source.addEventListener('second', (event) => { document.getElementById('live').innerHTML = JSON.parse(event.data); });
source.addEventListener('finished', () => { source.close(); location.reload(); });
`;

/** What is seen of a live run at one moment. */
export function liveFragment(state: LiveState, plan: LoadPlan, isSilent: boolean): string {
  const now = state.seconds.at(-1);
  const { ratio, leftSeconds } = state.stepProgress;
  const step = state.step;
  const isOver = step?.index === plan.steps.at(-1)?.index && leftSeconds < 1;
  const phase = { warmup: 'warming up', measure: 'measuring', drain: 'waiting for the last answers' }[
    state.phase
  ];
  const head = `step ${(step?.index ?? 0) + 1} of ${state.stepCount}: ${step?.label ?? ''}, ${phase}`;
  const tiles: readonly (readonly [string, string])[] = [
    ['throughput', q.rate(now?.throughputPerSecond)],
    ['p50', q.duration(now?.p50Seconds)],
    ['p95', q.duration(now?.p95Seconds)],
    ['p99', q.duration(now?.p99Seconds)],
    ['failed', q.rate(now?.failedPerSecond)],
    ['service CPU', now?.serviceCores === undefined ? q.MISSING : `${now.serviceCores.toFixed(2)} cores`],
    ['generator CPU', q.percent(now?.generatorRatio)],
  ];
  return [
    isSilent
      ? banner(
          'doubt',
          'Silent',
          isOver
            ? 'The steps are over and nothing more is written by the second: routes alone or experiments may be under way, or the run was killed.'
            : 'Nothing was written for ten seconds: the run may have been killed. Its seconds so far are kept.',
        ) + `<p><a href="?report">What was measured so far, as a report</a></p>`
      : '',
    `<h2>${escapeHtml(printable(head))}</h2>`,
    `<p>${Math.round(leftSeconds)} s left of this step, about ${Math.round(Math.max(0, state.totalSeconds - state.atSeconds))} s of the run.</p>`,
    `<div class="meter" aria-hidden="true"><div style="width:${(100 * ratio).toFixed(1)}%"></div></div>`,
    `<dl class="tiles">${tiles.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`,
    `<div class="charts">${liveCharts(state, plan).join('\n')}</div>`,
    state.warnings.length === 0
      ? ''
      : htmlSection('Warnings', htmlList(state.warnings.slice(-8).map(printable))),
  ].join('\n');
}

export function messagePage(title: string, text: string): string {
  return page(
    title,
    `<nav aria-label="Dashboard"><a href="/">All runs</a></nav><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(printable(text))}</p></main>`,
  );
}
