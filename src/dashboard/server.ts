import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ShiploadError } from '../errors.ts';
import { renderComparisonHtml } from '../report/comparison-html.ts';
import { withNavigation } from '../report/html-layout.ts';
import { PAGE_SCRIPT_HASH } from '../report/html-script.ts';
import { renderHtml } from '../report/html.ts';
import { compareRuns } from '../session/compare-runs.ts';
import { readManifest, readRun } from '../session/stored-run.ts';
import { followRun } from './live-feed.ts';
import { listPage, liveFragment, livePage, messagePage, NAVIGATION } from './pages.ts';
import { admit, newToken, tokenCookie } from './request-guard.ts';
import { type ListedRun, RunList } from './run-list.ts';

export interface Dashboard {
  /** With the token: whoever has it may look. */
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Serves the runs of a folder to this machine's browsers: bound to loopback, behind a random token. Port 0 takes a
 * free one. Throws `port-in-use`.
 */
export async function startDashboard(folder: string, port: number): Promise<Dashboard> {
  const token = newToken();
  const ending = new AbortController();
  const runs = new RunList(folder);
  const server = createServer((request, response) => {
    const bound = (server.address() as AddressInfo).port;
    void answer({ request, response, runs, folder, token, port: bound, ending: ending.signal }).catch(
      (error: unknown) => fail(response, error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, port)));
    server.listen(port, HOST, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${bound}/?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenError(cause: NodeJS.ErrnoException, port: number): Error {
  if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') return cause;
  const why = cause.code === 'EACCES' ? 'may not be used' : 'is taken';
  return new ShiploadError('port-in-use', `port ${port} ${why}`, {
    where: '--listen',
    hint: '--listen 0 takes a free one.',
    cause,
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly runs: RunList;
  readonly folder: string;
  readonly token: string;
  readonly port: number;
  readonly ending: AbortSignal;
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, token, port } = exchange;
  const url = new URL(request.url ?? '/', `http://${HOST}`);
  const admission = admit(request, token, port);
  if (admission === 'enter') {
    response.writeHead(303, { 'set-cookie': tokenCookie(token, port), location: url.pathname }).end();
    return;
  }
  if (admission !== 'admitted') {
    const text = 'Open the address that `shipload serve` printed: it carries the token.';
    sendPage(response, messagePage('Not for you', text), 403);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    sendPage(response, messagePage('Not possible', 'These pages can only be read.'), 405);
    return;
  }
  await route(url, exchange);
}

async function route(url: URL, exchange: Exchange): Promise<void> {
  const { response, runs, folder } = exchange;
  if (url.pathname === '/favicon.ico') return void response.writeHead(204, HEADERS).end();
  if (url.pathname === '/') return sendPage(response, listPage(await runs.read(), folder));
  if (url.pathname === '/compare') return sendComparison(url, exchange);
  const [, place, name, rest] = /^\/(runs)\/([^/]+)(\/events)?$/.exec(url.pathname) ?? [];
  const run = place === undefined ? undefined : await runs.find(decoded(name!));
  if (run === undefined)
    return sendPage(response, messagePage('Not found', `There is no ${url.pathname}.`), 404);
  if (rest !== undefined) return streamRun(run, exchange);
  if (run.state === 'running' && !run.isBroken && !url.searchParams.has('report')) {
    const nonce = randomBytes(16).toString('base64');
    return sendPage(response, livePage(run, nonce), 200, nonce);
  }
  const report = renderHtml(await readRun(runs.pathOf(run.name)));
  return sendPage(response, withNavigation(report, NAVIGATION));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function sendComparison(url: URL, { response, runs }: Exchange): Promise<void> {
  const names = ['before', 'after'].map((side) => url.searchParams.get(side) ?? '');
  const [before, after] = [await runs.find(names[0]!), await runs.find(names[1]!)];
  if (before === undefined || after === undefined) {
    const text =
      'Choose one run in each of the two columns: what was before a change, and what came after it.';
    return sendPage(response, messagePage('Two runs are needed', text), 400);
  }
  const [first, second] = [await readRun(runs.pathOf(before.name)), await readRun(runs.pathOf(after.name))];
  const { comparison, ...sides } = compareRuns([first], [second]);
  const page = renderComparisonHtml(comparison, sides.before, sides.after);
  return sendPage(response, withNavigation(page, NAVIGATION));
}

/** Server-sent events: a fragment a second, and `finished` when the report is there. */
async function streamRun({ name, isSilent }: ListedRun, { response, runs, ending }: Exchange): Promise<void> {
  const path = runs.pathOf(name);
  const { plan } = await readManifest(path);
  const leaving = new AbortController();
  const stop = (): void => leaving.abort();
  response.once('close', stop);
  ending.addEventListener('abort', stop);
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const send = (event: string, data: unknown): void =>
    void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  await followRun(
    path,
    plan,
    (news) => {
      if (news.kind === 'finished') send('finished', '');
      else send('second', liveFragment(news.state, plan, news.isSilent));
    },
    leaving.signal,
    isSilent,
  );
  ending.removeEventListener('abort', stop);
  response.end();
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

function sendPage(response: ServerResponse, html: string, status = 200, nonce?: string): void {
  const script = [`'${PAGE_SCRIPT_HASH}'`, ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])].join(' ');
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${script}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  response
    .writeHead(status, {
      ...HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    })
    .end(html);
}

/** A run that cannot be read is told on its page; the others stay readable. */
function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof ShiploadError ? error.message : String(error);
  if (response.headersSent) response.end();
  else sendPage(response, messagePage('That did not work', message), 500);
}
