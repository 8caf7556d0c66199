import { EXIT, ShiploadError } from '../../errors.ts';
import { RUN_FILES, RunFolder } from '../../host/run-folder.ts';
import { pinGenerator } from '../../host/pinning.ts';
import type { Pinning, RunRecord } from '../../model/record.ts';
import { htmlReporter } from '../../report/html.ts';
import { jsonReporter } from '../../report/json.ts';
import { counted } from '../../report/quantities.ts';
import { renderText } from '../../report/text.ts';
import { countersCsv } from '../../session/counters-csv.ts';
import { type OpenService, openService } from '../../session/open-service.ts';
import { openWorkload } from '../../session/open-workload.ts';
import { manifestOf, performRun, type PerformedRun, type RunRequest } from '../../session/perform-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { exitCodeOf } from '../exit-code.ts';
import { OPTION_GROUPS, type OptionValues } from '../options/index.ts';
import { progressView } from '../progress.ts';
import {
  logOptions,
  parseTargets,
  plannedLoad,
  plannedUrl,
  runPlace,
  serviceRequest,
} from '../run-request.ts';
import { parseUrl } from '../parse-values.ts';
import { readText } from '../../session/read-text.ts';
import type { PlannedLoad } from '../../load/plan-load.ts';
import type { Target } from '../../model/verdict.ts';
import type { WorkloadModel } from '../../model/workload.ts';
import type { ServiceRequest } from '../../session/open-service.ts';
import type { Terminal } from '../terminal.ts';

export const run: Command = {
  name: 'run',
  usage: '<access.log|workload.json|URL>',
  summary: 'put the load of a log, or of one URL, on a service, step by step, and judge what it carries',
  options: [
    ...OPTION_GROUPS.service,
    'shape',
    'users',
    'concurrency',
    'rate',
    'arrivals',
    'maxInFlight',
    'usersPerSecond',
    'generators',
    'pin',
    'step',
    'duration',
    'warmup',
    'think',
    'method',
    'data',
    ...OPTION_GROUPS.request,
    'target',
    'margin',
    'smoke',
    'isolate',
    'isolateStep',
    'label',
    'out',
    'samples',
    'seed',
    ...OPTION_GROUPS.log,
  ],
  example:
    "shipload run access.log --url http://127.0.0.1:8080 --start './service' --target 'p95 of /search <= 200 ms at 200 users'",
  async run([input], options, context) {
    const { request, place, service } = await prepare(input!, options, context);
    const { record, exitCode } = await runToEnd(request, place.path, service, context);
    context.terminal.print(
      options.json === true ? jsonReporter.render(record) : renderText(record, context.terminal),
    );
    return exitCode;
  },
};

/** Everything that can be wrong with the input is found before anything starts. */
async function prepare(input: string, options: OptionValues, { terminal, commandLine }: CommandContext) {
  const targets = parseTargets(options);
  const { service, load, workload } = await openInput(input, targets, options);
  const { plan, peakLoad, notices } = load;
  for (const notice of notices) terminal.say(`Note: ${notice.message}`);
  const place = runPlace(options, new Date());
  const generatorCount = options.generators ?? 1;
  const pinning = options.pin === undefined ? undefined : pinGenerator(options.pin, generatorCount);
  const request: RunRequest = {
    label: place.label,
    plan,
    peakLoad,
    ...(workload !== undefined && { workload }),
    targets,
    marginRatio: options.margin ?? 0.1,
    writeSamples: options.samples === true,
    generatorCount,
    ...(pinning !== undefined && { pinning: pinningOf(pinning, service) }),
    ...(options.isolate !== false && { isolateSeconds: options.isolateStep ?? 15 }),
    commandLine,
    planNotices: notices,
  };
  return {
    request,
    place,
    service: pinning === undefined ? service : { ...service, startOnCores: pinning.serviceCores },
  };
}

/** A service that ran already stays where it was. */
const pinningOf = (pinning: Required<Pinning>, service: ServiceRequest): Pinning =>
  service.startCommand === undefined ? { generatorCores: pinning.generatorCores } : pinning;

/** A URL is its own one request and the place it goes to; anything else is a file with a mix of requests. */
async function openInput(
  input: string,
  targets: readonly Target[],
  options: OptionValues,
): Promise<{
  readonly service: ServiceRequest;
  readonly load: PlannedLoad;
  readonly workload?: WorkloadModel;
}> {
  if (/^https?:\/\//i.test(input)) {
    const url = parseUrl('URL', input);
    const service = serviceRequest({ ...options, url });
    return { service, load: plannedUrl(url, await bodyText(options.data), targets, options) };
  }
  if (options.method !== undefined || options.data !== undefined) {
    throw new ShiploadError('option-invalid', '-m and -d are for a URL; a log has methods of its own', {
      where: '-m, -d',
      hint: 'For example: shipload run http://127.0.0.1:8080/search -d @query.json',
    });
  }
  const service = serviceRequest(options);
  const workload = await openWorkload(input, logOptions(options));
  return { service, load: plannedLoad(workload, targets, options), workload };
}

/** `@FILE` is the text of a file. Throws `file-not-found` or `file-unreadable`. */
const bodyText = async (data: string | undefined): Promise<string | undefined> =>
  data?.startsWith('@') === true ? readText(data.slice(1)) : data;

export interface FinishedRun {
  readonly record: RunRecord;
  readonly exitCode: number;
}

/**
 * Opens the service, runs, writes the folder, and always ends what it started. Throws what opening the service
 * and the folder throws; after that the record is returned whatever happens, and a failing disk is said last.
 */
export async function runToEnd(
  request: RunRequest,
  path: string,
  serviceToOpen: ServiceRequest,
  { terminal, exitNow }: CommandContext,
): Promise<FinishedRun> {
  let service: OpenService | undefined;
  const interrupts = listenForInterrupts(
    () => terminal.say('Stopping: the step ends here, what was measured is kept. Once more stops at once.'),
    () =>
      void (service?.stop() ?? Promise.resolve()).finally(() =>
        exitNow(interrupts.exitCode() ?? EXIT.interrupted),
      ),
  );
  try {
    await RunFolder.requireUnused(path);
    service = await openService(serviceToOpen);
    const manifest = manifestOf(request, service, new Date().toISOString());
    const folder = await RunFolder.create(path, manifest, request.workload);
    announce(request, service, path, terminal);
    const performed = await performRun(request, manifest, service, folder, {
      onEvent: progressView(request.plan, terminal),
      say: (text) => terminal.say(text),
      signal: interrupts.signal,
    });
    const { record } = performed;
    const failure = await store(performed, folder);
    if (failure !== undefined) {
      terminal.say(
        `shipload: ${failure.message} [${failure.code}]; the result follows, it is not stored whole`,
      );
    }
    sayWhatWentWrong(record, service, terminal);
    return { record, exitCode: failure?.exitCode ?? exitCodeOf(record, interrupts.exitCode()) };
  } finally {
    await service?.stop();
    interrupts.release();
  }
}

function announce({ plan }: RunRequest, service: OpenService, path: string, terminal: Terminal): void {
  const seconds = plan.steps.reduce((sum, step) => sum + step.warmupSeconds + step.measureSeconds, 0);
  const { pid, serverCount, serverCountSource } = service.description;
  const watched =
    pid === undefined
      ? 'no process is watched: the result has no CPU of the service (--pid, --port or --start)'
      : `watching process ${pid}, m = ${serverCount} (${serverCountSource})`;
  terminal.say(
    `${counted(plan.steps.length, 'step')} on ${service.url.href}, about ${Math.ceil(seconds)} s; ${watched}; written to ${path}/`,
  );
}

/** A disk that fails costs the files, not the result: the error comes back and the caller still prints it. */
async function store(
  { record, series }: PerformedRun,
  folder: RunFolder,
): Promise<ShiploadError | undefined> {
  try {
    await folder.write(RUN_FILES.counters, countersCsv(series));
    await folder.write(RUN_FILES.manifest, `${JSON.stringify(record.manifest, null, 1)}\n`);
    await folder.write(RUN_FILES.record, `${JSON.stringify(record)}\n`);
    await folder.write(RUN_FILES.html, htmlReporter.render(record));
    await folder.close();
    return folder.failure;
  } catch (error) {
    if (error instanceof ShiploadError) return error;
    throw error;
  }
}

function sayWhatWentWrong(record: RunRecord, service: OpenService, terminal: Terminal): void {
  if (record.manifest.state !== 'service-gone') return;
  terminal.say(
    'shipload: the service ended, or refused every request, in the middle of the run [service-gone]',
  );
  for (const line of service.outputTail().slice(-10)) terminal.say(`  | ${line}`);
}
