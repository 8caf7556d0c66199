import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  catalogueCommand,
  CATALOGUE_READY_PATH,
  BOOK_COUNT,
  ensureCatalogueDatabase,
} from '../../demo/catalogue/index.ts';
import { constructLog } from '../../demo/constructed-log.ts';
import { peakUsers, SEARCH_TERMS, targetTexts } from '../../demo/worked-case.ts';
import { makeFolder } from '../../host/make-folder.ts';
import { freePort } from '../../host/free-port.ts';
import { RUN_FILES } from '../../host/run-folder.ts';
import { writeError } from '../../host/write-file.ts';
import type { RunRecord } from '../../model/record.ts';
import type { WorkloadModel } from '../../model/workload.ts';
import { compareRecords } from '../../record/compare-records.ts';
import { renderComparisonHtml } from '../../report/comparison-html.ts';
import { renderComparison } from '../../report/comparison-text.ts';
import { toReportDocument } from '../../report/json.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { milliseconds } from '../../report/quantities.ts';
import { renderRecordDocument } from '../../report/record-document.ts';
import { renderText } from '../../report/text.ts';
import { renderWorkload } from '../../report/workload-text.ts';
import { measureDemand } from '../../session/measure-demand.ts';
import { openService, type ServiceRequest } from '../../session/open-service.ts';
import { openWorkload } from '../../session/open-workload.ts';
import type { RunRequest } from '../../session/run-request.ts';
import type { CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { plannedLoad } from '../run-request.ts';
import { parseTarget } from '../../verdict/parse-target.ts';
import { runToEnd } from '../run-to-end.ts';

/** Length of the constructed log: a peak quarter of an hour, as far as steps are concerned. */
const LOG_SECONDS = 900;
/** Start of the log, so that the same seed gives the same bytes. */
const LOG_STARTS_AT_EPOCH_MS = 1_761_750_000_000;
/** The log's own times for one book and one search, as multiples of a search's demand. */
const LOG_SEARCH_FACTOR = 1.25;
const LOG_BOOK_FACTOR = 0.06;
const QUICK = { step: 6, warmup: 2.5, isolateStep: 7 } as const;
const FULL = { step: 60, warmup: 20, isolateStep: 15 } as const;

/** A log made for this machine, a service with a flaw, the decision, the fix, the decision again. */
export async function demoCatalogue(
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<number> {
  const worked = await prepareCase(folder, options, context);
  return options.cache === true
    ? cachedOnly(worked, context, options)
    : beforeAndAfter(worked, context, options);
}

/** What both runs share: the catalogue, the log made for this machine, and the goals. */
interface WorkedCase {
  readonly folder: string;
  readonly database: string;
  readonly workload: WorkloadModel;
  readonly targets: readonly string[];
  readonly pace: typeof QUICK | typeof FULL;
  readonly seed: number;
}

async function prepareCase(
  folder: string,
  options: OptionValues,
  { terminal }: CommandContext,
): Promise<WorkedCase> {
  const seed = options.seed ?? 7;
  terminal.say(
    `1. The service: a catalogue of ${BOOK_COUNT.toLocaleString('en')} books in SQLite. Searching is one full scan on the event loop.`,
  );
  await makeFolder(folder).catch((cause: unknown) => {
    throw writeError(folder, cause);
  });
  const database = await ensureCatalogueDatabase(join(folder, '..'));
  const { searchSeconds, bookSeconds } = await demandsOf(database, seed);
  terminal.say(
    `   One search alone costs ${milliseconds(searchSeconds)} ms of CPU here, one book ${milliseconds(bookSeconds)} ms.`,
  );
  const users = peakUsers(searchSeconds, bookSeconds);
  terminal.say(
    `2. Last month's access log, constructed (seed ${seed}): ${users} users whose peak would use about 74 % of one core on this machine.`,
  );
  const logPath = join(folder, 'access.log');
  const log = constructLog({
    users,
    spanSeconds: LOG_SECONDS,
    startedAtEpochMs: LOG_STARTS_AT_EPOCH_MS,
    bookCount: BOOK_COUNT,
    bookResponseSeconds: searchSeconds * LOG_BOOK_FACTOR,
    searchResponseSeconds: searchSeconds * LOG_SEARCH_FACTOR,
    terms: SEARCH_TERMS,
    seed,
  });
  await writeFile(logPath, log).catch((cause: unknown) => {
    throw writeError(logPath, cause);
  });
  const workload = await openWorkload(logPath, { window: 'all' });
  const modelled = Math.round(workload.activeUsers ?? users);
  const targets = targetTexts(searchSeconds, modelled);
  terminal.say(
    '3. What the log says, and the goals, set before any run and in proportion to what a search costs here:',
  );
  terminal.say(indent(renderWorkload(workload, terminal)));
  for (const target of targets) terminal.say(`     ${target}`);
  const pace = options.full === true ? FULL : QUICK;
  return { folder, database, workload, targets, pace, seed };
}

/** CPU per request of either route, one worker without think time, the service for itself. */
async function demandsOf(database: string, seed: number) {
  const service = await openService(await catalogueAt(database, false));
  try {
    const searches = SEARCH_TERMS.map((term) => `/search?q=${term}`);
    const books = Array.from({ length: 1000 }, (_, i) => `/books/${1 + i * 200}`);
    return {
      searchSeconds: await measureDemand(service, '/search', searches, { seconds: 2.5, seed }),
      bookSeconds: await measureDemand(service, '/books/[id]', books, { seconds: 1, seed }),
    };
  } finally {
    await service.stop();
  }
}

async function catalogueAt(database: string, cache: boolean): Promise<ServiceRequest> {
  const port = await freePort();
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    startCommand: catalogueCommand({ port, database, cache }),
    readyPath: CATALOGUE_READY_PATH,
    readyTimeoutSeconds: 60,
  };
}

async function runCase(
  worked: WorkedCase,
  label: string,
  cache: boolean,
  context: CommandContext,
  cores?: number,
) {
  const { workload, pace, seed } = worked;
  const targets = worked.targets.map(parseTarget);
  const { plan, peakLoad, notices } = plannedLoad(workload, targets, { ...pace, seed });
  const service = { ...(await catalogueAt(worked.database, cache)), ...(cores !== undefined && { cores }) };
  const request: RunRequest = {
    label,
    plan,
    peakLoad,
    workload,
    targets,
    marginRatio: 0.1,
    writeSamples: false,
    isolateSeconds: pace.isolateStep,
    commandLine: commandLineOf(worked, service),
    planNotices: notices,
  };
  return runToEnd(request, join(worked.folder, label), service, context);
}

/** The same run by hand: what the record gives another engineer. */
function commandLineOf(
  { folder, pace, targets, seed }: WorkedCase,
  service: ServiceRequest,
): readonly string[] {
  const options: Readonly<Record<string, string>> = {
    '--window': 'all',
    '--url': service.url.href,
    '--start': service.startCommand ?? '',
    '--ready': service.readyPath,
    '--step': `${pace.step}s`,
    '--warmup': `${pace.warmup}s`,
    '--seed': String(seed),
    ...(service.cores !== undefined && { '--cores': String(service.cores) }),
  };
  const goals = targets.flatMap((target) => ['--target', target]);
  return ['shipload', 'run', join(folder, 'access.log'), ...Object.entries(options).flat(), ...goals];
}

/** The path of someone who has the fix already: it must end in pass. */
async function cachedOnly(
  worked: WorkedCase,
  context: CommandContext,
  options: OptionValues,
): Promise<number> {
  context.terminal.say('4. The run, with the result cache on.');
  const { record, exitCode } = await runCase(worked, 'cached', true, context);
  printRun(record, context, options);
  await writeDocuments(worked, [record], undefined);
  context.terminal.say(closing(worked.folder, record));
  return exitCode;
}

async function beforeAndAfter(
  worked: WorkedCase,
  context: CommandContext,
  options: OptionValues,
): Promise<number> {
  const { terminal } = context;
  terminal.say('4. The run, as the service is.');
  const before = await runCase(worked, 'before', false, context);
  if (options.json !== true) terminal.print(renderText(before.record, terminal));
  if (isCutShort(before.record)) return before.exitCode;
  terminal.say('5. The fix: the results of the last 1,024 searches are kept. The same run again.');
  // The same m as before, so that the two utilisations compare: an idle process does not show how many cores it can use.
  const after = await runCase(worked, 'after', true, context, before.record.manifest.service.serverCount);
  if (options.json !== true) terminal.print(renderText(after.record, terminal));
  if (isCutShort(after.record)) return after.exitCode;
  const comparison = compareRecords([before.record], [after.record]);
  if (options.json === true) {
    terminal.print(
      JSON.stringify({
        before: toReportDocument(before.record),
        after: toReportDocument(after.record),
        comparison,
      }),
    );
  } else {
    terminal.say('6. Before and after, and the prediction beside what came true.');
    terminal.print(renderComparison(comparison, before.record, after.record, terminal));
  }
  await writeDocuments(
    worked,
    [before.record, after.record],
    'the results of the last 1,024 searches are kept (--cache)',
  );
  terminal.say(closing(worked.folder, after.record));
  return after.exitCode;
}

/** Interrupted, or the service went: what was measured stands in the folder, the story ends here. */
function isCutShort(record: RunRecord): boolean {
  return record.manifest.state !== 'completed';
}

function printRun(record: RunRecord, { terminal }: CommandContext, options: OptionValues): void {
  terminal.print(
    options.json === true ? `${JSON.stringify(toReportDocument(record))}\n` : renderText(record, terminal),
  );
}

async function writeDocuments(
  worked: WorkedCase,
  records: readonly RunRecord[],
  fix: string | undefined,
): Promise<void> {
  const [first] = records;
  const last = records.at(-1)!;
  const comparison = records.length > 1 ? compareRecords([first!], [last]) : undefined;
  const documents: Record<string, string> = {
    'record.md': renderRecordDocument(records, {
      ...(fix !== undefined && { fix }),
      ...(comparison !== undefined && { comparison }),
    }),
    [RUN_FILES.markdown]: renderMarkdown(last),
    ...(comparison !== undefined && { 'compare.html': renderComparisonHtml(comparison, first!, last) }),
  };
  for (const [name, text] of Object.entries(documents)) {
    const path = join(worked.folder, name);
    await writeFile(path, text).catch((cause: unknown) => {
      throw writeError(path, cause);
    });
  }
}

function closing(folder: string, record: RunRecord): string {
  return `Decision: ${record.verdict.decision}. Record, reports and measurements are in ${folder}/ (record.md, report.md, */report.html).`;
}

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n');
