import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plannedLoad, plannedUrl } from '../src/cli/run-request.ts';
import {
  BOOK_COUNT,
  catalogueCommand,
  CATALOGUE_READY_PATH,
  ensureCatalogueDatabase,
} from '../src/demo/catalogue/index.ts';
import { constructLog } from '../src/demo/constructed-log.ts';
import { poolCommand, POOL_STATS_PATH } from '../src/demo/pool/index.ts';
import { peakUsers, SEARCH_TERMS } from '../src/demo/worked-case.ts';
import { freePort } from '../src/host/free-port.ts';
import type { LoadPlan } from '../src/model/load.ts';
import type { RunRecord } from '../src/model/record.ts';
import { concludeRun } from '../src/pipeline.ts';
import { loadOnce } from '../src/session/load-once.ts';
import { measureDemand } from '../src/session/measure-demand.ts';
import type { OpenService } from '../src/session/open-service.ts';
import { openService } from '../src/session/open-service.ts';
import { openWorkload } from '../src/session/open-workload.ts';
import { manifestOf } from '../src/session/run-request.ts';

const READY_SECONDS = 60;

/** A demonstration service that runs, and how to load it. */
export interface RealCase {
  readonly service: OpenService;
  /** The load at these users or workers, each for so many seconds after a warm-up. */
  readonly planAt: (
    loads: readonly number[],
    seconds: number,
    warmupSeconds: number,
    seed?: number,
  ) => LoadPlan;
  /** Where it saturates, about. */
  readonly peakLoad: number;
}

/** The pool service: `/pool` holds one of 8 slots for 5 ms. */
export async function poolCase(): Promise<RealCase> {
  const url = new URL(`http://127.0.0.1:${await freePort()}/`);
  const service = await openService({
    url,
    startCommand: poolCommand(Number(url.port)),
    readyPath: POOL_STATS_PATH,
    readyTimeoutSeconds: READY_SECONDS,
  });
  return {
    service,
    peakLoad: 8,
    planAt: (concurrency, duration, warmup, seed = 7) =>
      plannedUrl(new URL('/pool', url), undefined, [], { concurrency, duration, warmup, seed }).plan,
  };
}

/** The catalogue, and the mix of a log that is constructed for this machine. Files go to `folder`. */
export async function catalogueCase(folder: string): Promise<RealCase> {
  await mkdir(folder, { recursive: true });
  const database = await ensureCatalogueDatabase(folder);
  const port = await freePort();
  const service = await openService({
    url: new URL(`http://127.0.0.1:${port}/`),
    startCommand: catalogueCommand({ port, database, cache: false }),
    readyPath: CATALOGUE_READY_PATH,
    readyTimeoutSeconds: READY_SECONDS,
  });
  const searches = SEARCH_TERMS.map((term) => `/search?q=${term}`);
  const books = Array.from({ length: 1000 }, (_, i) => `/books/${1 + i * 200}`);
  const searchSeconds = await measureDemand(service, '/search', searches, { seconds: 2.5, seed: 7 });
  const bookSeconds = await measureDemand(service, '/books/[id]', books, { seconds: 1, seed: 7 });
  const users = peakUsers(searchSeconds, bookSeconds);
  const log = join(folder, 'access.log');
  const spanSeconds = 900;
  const text = constructLog({
    users,
    spanSeconds,
    startedAtEpochMs: Date.UTC(2026, 0, 5, 12),
    bookCount: BOOK_COUNT,
    bookResponseSeconds: bookSeconds,
    searchResponseSeconds: searchSeconds,
    terms: SEARCH_TERMS,
    seed: 7,
  });
  await writeFile(log, text);
  const workload = await openWorkload(log, { window: 'all' });
  return {
    service,
    peakLoad: users,
    planAt: (loads, step, warmup, seed = 7) =>
      plannedLoad(workload, [], { users: loads, step: step + warmup, warmup, seed }).plan,
  };
}

/** One run of a plan, concluded as the command line does. */
export async function measured(
  { service, peakLoad }: RealCase,
  plan: LoadPlan,
  label: string,
): Promise<RunRecord> {
  const request = {
    label,
    plan,
    peakLoad,
    targets: [],
    marginRatio: 0.1,
    writeSamples: false,
    commandLine: [],
    planNotices: [],
  };
  const { measurements, totals, reason } = await loadOnce(plan, service, {});
  const manifest = { ...manifestOf(request, service, new Date().toISOString()), state: reason };
  return concludeRun({ manifest, measurements, totals });
}
