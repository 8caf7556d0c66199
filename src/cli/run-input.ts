import { ShiploadError } from '../errors.ts';
import { type PlannedLoad } from '../load/plan-load.ts';
import { planReplay } from '../load/plan-replay.ts';
import type { WriteMixOptions } from '../load/write-mix.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { Target } from '../model/verdict.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { importNotices, loadSourceAt, openImport } from '../session/import-load.ts';
import { secretNotices } from '../session/imported-scenario.ts';
import type { ServiceRequest } from '../session/open-service.ts';
import type { ScenarioRequest } from '../session/run-request.ts';
import { requireRecords } from '../session/open-feeds.ts';
import { openReplay, openWorkload } from '../session/open-workload.ts';
import { readText } from '../session/read-text.ts';
import { checkTargetRoutes } from '../verdict/target-routes.ts';
import { askedLoad } from './asked-load.ts';
import { inputKindOf } from './input-kind.ts';
import type { OptionCheck } from './option-check.ts';
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
import { openScenarioInput, plannedScenario, scenarioLoadUse } from './scenario-input.ts';
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

/** What was given, and the check that each of it has a meaning here. */
export interface GivenToRun {
  readonly given: ReadonlySet<string>;
  readonly check: OptionCheck;
}

/**
 * A URL is its own one request and the place it goes to; anything else is a file with a mix of requests. What is wrong
 * with the input or the options is thrown before a log is read.
 */
export async function openInput(
  input: string,
  targets: readonly Target[],
  options: OptionValues,
  asked: GivenToRun,
): Promise<RunInput> {
  // A replay takes the log that a file is, and --format says that it is one.
  const isLog = options.shape === 'replay' || isLogFormatAsked(options);
  const kind = await inputKindOf(input, isLog);
  if (kind === 'scenario') return openScenarioRun(input, options, asked);
  const isMix = kind === 'urls';
  const usualShape = kind === 'url' || isMix ? 'sweep' : 'steps';
  asked.check({ input: kind, ...askedLoad(options, usualShape), options });
  if (options.shape === 'replay') return openReplayInput(input, kind === 'url', targets, options);
  const body = await bodyText(options.data);
  const writes = writesOf(options, body);
  if (kind === 'url') {
    const url = parseUrl('URL', input);
    const service = serviceRequest({ ...options, url });
    const bodyOfUrl = writes === undefined ? body : undefined;
    return { service, targets, load: plannedUrl(url, bodyOfUrl, targets, options, writes) };
  }
  const service = serviceRequest(options);
  if (isMix) return openMixRun(input, service, targets, options, writes);
  const workload = await openWorkload(input, logOptions(options));
  return { service, targets, load: plannedLoad(workload, targets, options, writes), workload };
}

/** A list of requests, each independent of the one before: workers, unless the options ask for users. */
async function openMixRun(
  path: string,
  service: ServiceRequest,
  targets: readonly Target[],
  options: OptionValues,
  writes: WriteMixOptions | undefined,
): Promise<RunInput> {
  const source = await loadSourceAt(path);
  const mix = source === undefined ? undefined : await openImport(path, source, service.url.origin);
  if (mix === undefined || !('requests' in mix)) throw new RangeError(`${path} is no list of URLs`);
  const { requests } = mix;
  const load = plannedMix({ requests, notices: importNotices(mix, path) }, targets, options, writes);
  return { service, targets, load };
}

/** A file that says what users do, and perhaps where and how many. */
async function openScenarioRun(
  path: string,
  asked: OptionValues,
  { given, check }: GivenToRun,
): Promise<RunInput> {
  if (asked.shape === 'replay') throw misplaced('--shape', 'replay takes an access log, not a scenario');
  const scenario = await openScenarioInput(path, asked, given);
  const { open, options, targets } = scenario;
  check({ input: 'scenario', ...scenarioLoadUse(scenario, given), options });
  const planned = plannedScenario(scenario, given);
  await requireRecords(open.feeds, open.folder, planned.plan.steps);
  const { imported } = open;
  const load =
    imported === undefined
      ? planned
      : {
          ...planned,
          notices: [
            ...importNotices(imported, path),
            ...(options.dryRun === true ? secretNotices(imported) : []),
            ...planned.notices,
          ],
        };
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
  if (write === undefined) return undefined;
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

const misplaced = (where: string, why: string): ShiploadError =>
  new ShiploadError('option-invalid', `${where} ${why}`, { where });

/** `@FILE` is the text of a file. Throws `file-not-found` or `file-unreadable`. */
const bodyText = async (data: string | undefined): Promise<string | undefined> =>
  data?.startsWith('@') === true ? readText(data.slice(1)) : data;
