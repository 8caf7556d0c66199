import type { AnswerValues } from './answer-values.ts';
import type { HarEntry } from './har-entries.ts';
import { requestOf } from './har-request.ts';
import type { ImportedGroup, ImportedStep, ImportedText } from './imported-load.ts';
import type { Secrets } from './secrets.ts';

/** A gap within a page that is shorter is the browser's own; a longer one is a person who reads. */
const SHORTEST_PAUSE_MS = 500;
/** Between pages somebody has clicked, however fast. */
const SHORTEST_PAGE_PAUSE_MS = 50;

/** A step on its page; `index` tells the answers of requests apart. */
interface WalkedStep {
  readonly page: string | undefined;
  readonly step: ImportedStep;
  readonly index?: number;
}

/** Goes through a recording from its start to its end. */
export class HarWalk {
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
