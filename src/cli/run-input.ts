import { ShiploadError } from '../errors.ts';
import { type PlannedLoad } from '../load/plan-load.ts';
import { planReplay } from '../load/plan-replay.ts';
import type { WriteMixOptions } from '../load/write-mix.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { Target } from '../model/verdict.ts';
import type { WorkloadModel } from '../model/workload.ts';
import type { LoadSource } from '../import/loads/index.ts';
import { importNotices, loadSourceAt, openImport } from '../session/import-load.ts';
import type { ServiceRequest } from '../session/open-service.ts';
import type { ScenarioRequest } from '../session/run-request.ts';
import { openReplay, openWorkload } from '../session/open-workload.ts';
import { readText } from '../session/read-text.ts';
import { checkTargetRoutes } from '../verdict/target-routes.ts';
import type { OptionValues } from './options/index.ts';
import { parseUrl } from './parse-values.ts';
import {
  isLogFormatAsked,
  logOptions,
  plannedLoad,
  plannedMix,
  plannedUrl,
  serviceRequest,
  withTransport,
} from './run-request.ts';
import { isScenarioPath, openScenarioInput, plannedScenario } from './scenario-input.ts';
import { headersOf } from './transport-request.ts';

/** What a run is made from: where the load goes, and what it is. */
export interface RunInput {
  readonly service: ServiceRequest;
  readonly load: PlannedLoad;
  readonly workload?: WorkloadModel;
  readonly replay?: ReplaySchedule;
  readonly scenario?: ScenarioRequest;
  /** What is judged: of the options, and of a scenario's file. */
  readonly targets: readonly Target[];
}

/** A URL is its own one request and the place it goes to; anything else is a file with a mix of requests. */
export async function openInput(
  input: string,
  targets: readonly Target[],
  options: OptionValues,
  given: ReadonlySet<string>,
): Promise<RunInput> {
  const isUrl = /^https?:\/\//i.test(input);
  const isReplay = options.shape === 'replay';
  // --format says that the file is read as a log.
  const source = isUrl || isReplay || isLogFormatAsked(options) ? undefined : await loadSourceAt(input);
  if (isReplay) return openReplayInput(input, isUrl, targets, options);
  const isMix = source?.name === 'urls';
  if (!isMix && !isUrl && (source !== undefined || isScenarioPath(input)))
    return openScenarioRun(input, options, given);
  if (options.speed !== undefined) throw misplaced('--speed', 'is for --shape replay');
  const body = await bodyText(options.data);
  const writes = writesOf(options, body);
  if (isUrl) {
    const url = parseUrl('URL', input);
    const service = serviceRequest({ ...options, url });
    const bodyOfUrl = writes === undefined ? body : undefined;
    return { service, targets, load: plannedUrl(url, bodyOfUrl, targets, options, writes) };
  }
  if (writes === undefined) requireNoBody(options);
  const service = serviceRequest(options);
  if (isMix) return openMixRun(input, source, service, targets, options, writes);
  const workload = await openWorkload(input, logOptions(options));
  return { service, targets, load: plannedLoad(workload, targets, options, writes), workload };
}

/** A list of requests, each independent of the one before: workers, unless the options ask for users. */
async function openMixRun(
  path: string,
  source: LoadSource,
  service: ServiceRequest,
  targets: readonly Target[],
  options: OptionValues,
  writes: WriteMixOptions | undefined,
): Promise<RunInput> {
  const mix = await openImport(path, source, service.url.origin);
  if (!('requests' in mix)) throw new RangeError(`${source.name} is no mix`);
  const { requests } = mix;
  const load = plannedMix({ requests, notices: importNotices(mix, path) }, targets, options, writes);
  return { service, targets, load };
}

/** A file that says what users do, and perhaps where and how many. */
async function openScenarioRun(
  path: string,
  asked: OptionValues,
  given: ReadonlySet<string>,
): Promise<RunInput> {
  requireNoBody(asked);
  if (asked.write !== undefined)
    throw misplaced('--write', 'has no place in a scenario, which has its own writes');
  if (asked.shape === 'replay') throw misplaced('--shape', 'replay takes an access log, not a scenario');
  if (asked.confirm !== undefined)
    throw misplaced('--confirm', 'varies the mix of a log, which a scenario has not');
  const scenario = await openScenarioInput(path, asked, given);
  const { open, options, targets } = scenario;
  const planned = plannedScenario(scenario, given);
  const { imported } = open;
  const load =
    imported === undefined
      ? planned
      : { ...planned, notices: [...importNotices(imported, path), ...planned.notices] };
  return {
    service: serviceRequest(options),
    targets,
    load,
    scenario: { open, headers: headersOf(options) ?? {} },
  };
}

/** The write of `--write`, with `-d` as its body, and its shares. */
function writesOf(options: OptionValues, body: string | undefined): WriteMixOptions | undefined {
  const { write, writeRatio = DEFAULT_WRITE_RATIOS } = options;
  if (write === undefined) {
    if (options.writeRatio !== undefined) throw misplaced('--write-ratio', 'needs --write');
    return undefined;
  }
  const headers = headersOf(options);
  const route = write.target.split('?', 1)[0]!;
  const request = {
    id: `${write.method} ${route}`,
    method: write.method,
    route,
    shareRatio: writeRatio[0]!,
    targets: { draw: 'uniform', targets: [write.target], distinctCount: 1 },
    ...(body !== undefined && { body }),
    ...(headers !== undefined && { headers }),
  } as const;
  return { request, ratios: writeRatio };
}

const DEFAULT_WRITE_RATIOS: readonly number[] = [0.1, 0.9];

/** A log is sent as it is: it has loads, pauses and requests of its own. */
async function openReplayInput(
  input: string,
  isUrl: boolean,
  targets: readonly Target[],
  options: OptionValues,
): Promise<RunInput> {
  if (isUrl) throw misplaced('--shape', 'replay takes an access log, not a URL');
  requireNoBody(options);
  if (options.write !== undefined) throw misplaced('--write', 'has no place in a replay');
  for (const [name, flag] of OWN_OF_LOG)
    if (options[name] !== undefined)
      throw misplaced(flag, 'has no meaning in a replay: the log says when to send');
  const service = serviceRequest(options);
  const { workload, replay: log } = await openReplay(input, logOptions(options));
  checkTargetRoutes(
    targets,
    workload.requestClasses.map(({ route }) => route),
  );
  const headers = headersOf(options);
  const { replay, ...load } = planReplay(workload, log, {
    speedFactor: options.speed ?? 1,
    stepSeconds: options.step ?? options.duration ?? 60,
    ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
    requestTimeoutSeconds: options.timeout ?? 30,
    seed: options.seed ?? 7,
    ...(headers !== undefined && { headers }),
  });
  return { service, targets, load: withTransport(load, options), workload, replay };
}

const OWN_OF_LOG = [
  ['users', '--users'],
  ['concurrency', '-c'],
  ['rate', '--rate'],
  ['think', '--think'],
  ['warmup', '--warmup'],
  ['extend', '--extend'],
] as const;

const misplaced = (where: string, why: string): ShiploadError =>
  new ShiploadError('option-invalid', `${where} ${why}`, { where });

function requireNoBody(options: OptionValues): void {
  if (options.method === undefined && options.data === undefined) return;
  throw new ShiploadError('option-invalid', '-m and -d are for a URL; a log has methods of its own', {
    where: '-m, -d',
    hint: 'For example: shipload run http://127.0.0.1:8080/search -d @query.json',
  });
}

/** `@FILE` is the text of a file. Throws `file-not-found` or `file-unreadable`. */
const bodyText = async (data: string | undefined): Promise<string | undefined> =>
  data?.startsWith('@') === true ? readText(data.slice(1)) : data;
