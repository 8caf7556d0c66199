import { ShiploadError } from '../../errors.ts';
import { countText, percentText, secondsText } from '../../stats/wording.ts';
import { AnswerValues } from './answer-values.ts';
import { type HarEntry, harEntries, type HarPostData } from './har-entries.ts';
import {
  type ImportedBody,
  type ImportedGroup,
  type ImportedLoad,
  type ImportedPart,
  type ImportedRequest,
  type ImportedStep,
  type ImportedText,
  methodOf,
  MOST_BODY_CHARACTERS,
} from './imported-load.ts';
import { keptHeaders } from './kept-headers.ts';
import { Secrets } from './secrets.ts';

/** A gap within a page that is shorter is the browser's own; a longer one is a person who reads. */
const SHORTEST_PAUSE_MS = 500;
/** Between pages somebody has clicked, however fast. */
const SHORTEST_PAGE_PAUSE_MS = 50;

/**
 * A recording of a browser (HAR 1.2) as one journey: a group for each page, what a page loads in order of its start,
 * and a pause where nothing was under way before the next request. Static files stand apart; requests to other hosts
 * than the first page's (or `origin`'s) are counted and left out. Throws `import-invalid` where nothing is left.
 */
export function importHar(text: string, file: string, origin?: string): ImportedLoad {
  const archive = harEntries(text, file);
  const sent = archive.entries.filter(({ isCached, status }) => !isCached && status !== 0);
  const host = hostOf(sent, origin);
  const ofHost = sent.filter(({ url }) => url.host === host);
  const own = ofHost.filter(({ method }) => methodOf(method) !== undefined);
  const requests = own.filter(({ isStatic }) => !isStatic);
  if (requests.length === 0)
    throw new ShiploadError('import-invalid', 'the archive holds no request that a load could send', {
      where: file,
      hint: `It has ${countText(archive.entries.length, 'request')}; record again with the pages of the service.`,
    });
  const values = new AnswerValues();
  const secrets = new Secrets((value) => values.keep(value));
  const walk = new HarWalk(own, archive.entries, archive.pages, secrets, values);
  const assets = own.filter(({ isStatic }) => isStatic).map((entry) => requestOf(entry, secrets, walk.notes));
  const notes = [
    ...leftOut(archive.entries, archive.otherCount, host),
    ...otherMethods(ofHost),
    ...walk.notes,
  ];
  const staticText =
    assets.length === 0
      ? ''
      : `, ${countText(assets.length, 'static file')} apart (${percentText(assets.length / own.length)} of its requests)`;
  const thinkText = walk.pauseMs > 0 ? `, ${secondsText(walk.pauseMs / 1000)} of think time in all` : '';
  return {
    source: 'har',
    summary: `an HTTP Archive of ${host}: ${countText(requests.length, 'request')} on ${countText(walk.pageCount, 'page')}${staticText}${thinkText}`,
    journeys: [{ name: 'recorded', keepsCookies: true, groups: walk.groups(values) }],
    ...(walk.cookie !== undefined && { headers: { Cookie: walk.cookie } }),
    assets: withoutRepeats(assets),
    secrets: secrets.list,
    notes,
  };
}

/** Where the first page came from, unless the archive has the place where the load goes. */
function hostOf(entries: readonly HarEntry[], origin: string | undefined): string | undefined {
  const asked = entries.find(({ url }) => url.origin === origin);
  if (asked !== undefined) return asked.url.host;
  const page = entries.find(({ answer, isStatic }) => !isStatic && /html/i.test(answer.type));
  return (page ?? entries.find(({ isStatic }) => !isStatic) ?? entries[0])?.url.host;
}

function leftOut(
  entries: readonly HarEntry[],
  otherCount: number,
  host: string | undefined,
): readonly string[] {
  const others = new Map<string, number>();
  for (const { url } of entries) if (url.host !== host) others.set(url.host, (others.get(url.host) ?? 0) + 1);
  const cached = entries.filter((entry) => entry.url.host === host && entry.isCached).length;
  const aborted = entries.filter(
    (entry) => entry.url.host === host && !entry.isCached && entry.status === 0,
  ).length;
  const hosts = [...others].map(([name, count]) => `${name} (${count})`);
  return [
    ...(hosts.length === 0
      ? []
      : [
          `Requests to other hosts are left out: ${hosts.slice(0, 20).join(', ')}${hosts.length > 20 ? ', …' : ''}.`,
        ]),
    ...(cached === 0 ? [] : [`${countText(cached, 'request')} that the browser's cache answered: left out.`]),
    ...(aborted === 0 ? [] : [`${countText(aborted, 'request')} without an answer: left out.`]),
    ...(otherCount === 0
      ? []
      : [`${countText(otherCount, 'entry').replace('entrys', 'entries')} not over HTTP: left out.`]),
  ];
}

/** A step on its page; `index` tells the answers of requests apart. */
interface WalkedStep {
  readonly page: string | undefined;
  readonly step: ImportedStep;
  readonly index?: number;
}

const otherMethods = (entries: readonly HarEntry[]): readonly string[] =>
  entries
    .filter(({ method }) => methodOf(method) === undefined)
    .map(({ method, url }) => `${method} ${url.pathname}: left out, scenarios do not send ${method}.`);

/** Goes through a recording from its start to its end. */
class HarWalk {
  readonly notes: string[] = [];
  pauseMs = 0;
  cookie: ImportedText | undefined;
  readonly #steps: WalkedStep[] = [];
  readonly #pages: ReadonlyMap<string, string>;

  constructor(
    own: readonly HarEntry[],
    all: readonly HarEntry[],
    pages: ReadonlyMap<string, string>,
    secrets: Secrets,
    values: AnswerValues,
  ) {
    this.#pages = pages;
    const busyUntil = busyTimes(all);
    const given = new Set<string>();
    let page: string | undefined;
    let isFirst = true;
    for (const [index, entry] of own.entries()) {
      if (!entry.isStatic) {
        const quietMs = entry.startMs - busyUntil(entry);
        const isNewPage = entry.page !== page;
        if (!isFirst && quietMs >= (isNewPage ? SHORTEST_PAGE_PAUSE_MS : SHORTEST_PAUSE_MS)) {
          this.pauseMs += quietMs;
          // Between pages it is part of neither.
          const within = isNewPage ? undefined : entry.page;
          this.#steps.push({ page: within, step: { kind: 'pause', time: `${Math.round(quietMs)}ms` } });
        }
        isFirst = false;
        page = entry.page;
        this.#noteCookie(entry, given, secrets);
        const request = requestOf(entry, secrets, this.notes);
        this.#steps.push({ page, step: { kind: 'request', request }, index });
        values.answered(index, entry.answer.text);
      }
      for (const name of entry.answer.setsCookies) given.add(name);
    }
  }

  get pageCount(): number {
    return this.#grouped().filter(({ steps }) => steps.some(({ step }) => step.kind === 'request')).length;
  }

  /** The pages, each request with what of its answer later ones need. */
  groups(values: AnswerValues): readonly ImportedGroup[] {
    return this.#grouped().map(({ page, steps }) => {
      const title = page === undefined ? undefined : (this.#pages.get(page) ?? page);
      return {
        ...(title !== undefined && { name: title.slice(0, 120) }),
        steps: steps.map(({ step, index }) => {
          const keeps = index === undefined ? [] : values.keptOf(index);
          return step.kind === 'request' && keeps.length > 0
            ? { ...step, request: { ...step.request, keeps } }
            : step;
        }),
      };
    });
  }

  #grouped() {
    const groups: { readonly page: string | undefined; readonly steps: WalkedStep[] }[] = [];
    for (const step of this.#steps) {
      const last = groups.at(-1);
      if (last !== undefined && last.page === step.page) last.steps.push(step);
      else groups.push({ page: step.page, steps: [step] });
    }
    return groups;
  }

  /** Cookies that no answer has set come from before the recording. */
  #noteCookie(entry: HarEntry, given: ReadonlySet<string>, secrets: Secrets): void {
    if (this.cookie !== undefined) return;
    const cookie = entry.headers.find(([name]) => /^cookie$/i.test(name))?.[1];
    const names = (cookie ?? '').split(';').map((pair) => pair.split('=', 1)[0]!.trim());
    if (names.every((name) => name === '' || given.has(name))) return;
    this.cookie = secrets.header('Cookie', cookie!);
    this.notes.push(
      'Cookies from before the recording are sent with every request as COOKIE says; it may be empty. Cookies that answers set are kept for each user.',
    );
  }
}

/** By entry: when the last of all that began before it was answered. */
function busyTimes(all: readonly HarEntry[]): (entry: HarEntry) => number {
  const times = new Map<HarEntry, number>();
  let busyUntil = -Infinity;
  for (const entry of all) {
    times.set(entry, busyUntil);
    busyUntil = Math.max(busyUntil, entry.endMs);
  }
  return (entry) => times.get(entry)!;
}

function requestOf(entry: HarEntry, secrets: Secrets, notes: string[]): ImportedRequest {
  const { url, headers, postData, status } = entry;
  const body =
    postData === undefined ? undefined : bodyOf(postData, secrets, `${entry.method} ${url.pathname}`, notes);
  const name = operationOf(postData, url.pathname);
  return {
    method: methodOf(entry.method) ?? 'GET',
    target: secrets.target(url.pathname + url.search),
    ...(name !== undefined && { name }),
    headers: keptHeaders(headers, secrets, body?.kind),
    ...(body !== undefined && { body }),
    ...(status >= 400 && { status }),
  };
}

function bodyOf(
  data: HarPostData,
  secrets: Secrets,
  what: string,
  notes: string[],
): ImportedBody | undefined {
  const { type, text, params } = data;
  if (text !== undefined && text.length > MOST_BODY_CHARACTERS) {
    notes.push(`${what}: its body of ${text.length} characters is too long for a scenario and left out.`);
    return undefined;
  }
  if (text !== undefined && text !== '') return secrets.body(text, type);
  if (params.length === 0) return undefined;
  if (!/multipart/i.test(type)) {
    const pairs = params.map(({ name, value }): [string, string] => [name, value]);
    return secrets.body(new URLSearchParams(pairs).toString(), 'application/x-www-form-urlencoded');
  }
  const parts = params.map(({ name, value, fileName }): ImportedPart => {
    if (fileName === undefined) return { name, value: secrets.member(name, value) };
    if (value === '')
      notes.push(`${what}: the archive does not hold the file ${fileName}; an empty one is sent.`);
    return { name, filename: fileName, content: value };
  });
  return { kind: 'multipart', parts };
}

/** GraphQL sends all to one path; what is asked for is its name. */
function operationOf(data: HarPostData | undefined, path: string): string | undefined {
  const name = /"operationName"\s*:\s*"([\w-]{1,80})"/.exec(data?.text?.slice(0, 100_000) ?? '')?.[1];
  return name === undefined ? undefined : `${path}:${name}`;
}

function withoutRepeats(assets: readonly ImportedRequest[]): readonly ImportedRequest[] {
  const byTarget = new Map(assets.map((asset) => [JSON.stringify(asset.target), asset]));
  return [...byTarget.values()];
}
