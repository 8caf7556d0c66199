import { EXIT, ShiploadError } from '../errors.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import { type LiveExports, openExports } from '../export/live-exports.ts';
import { RUN_FILES, RunFolder } from '../host/run-folder.ts';
import type { RunRecord } from '../model/record.ts';
import { htmlReporter } from '../report/html.ts';
import { counted } from '../report/quantities.ts';
import { countersCsv } from '../session/counters-csv.ts';
import { type OpenService, openService } from '../session/open-service.ts';
import { manifestOf, type RunRequest, underLimits } from '../session/run-request.ts';
import { type AgentsLoad, openAgentsLoad } from '../session/agents-load.ts';
import { requireSendable } from '../session/require-sendable.ts';
import { performRun, type PerformedRun } from '../session/perform-run.ts';
import { proveService } from '../session/prove-service.ts';
import type { CommandContext } from './command.ts';
import { listenForInterrupts } from './interrupts.ts';
import { exitCodeOf } from './exit-code.ts';
import { liveView, type RunView } from './live/live-view.ts';
import { progressView } from './progress.ts';
import { DEFAULT_ERROR_STOP } from '../load/safety.ts';
import type { SafetyLimits } from '../model/load.ts';
import type { ServiceRequest } from '../session/open-service.ts';
import type { Terminal } from './terminal.ts';

export interface FinishedRun {
  readonly record: RunRecord;
  readonly exitCode: number;
}

/**
 * Opens the service, runs, writes the folder, and always ends what it started. Throws what opening the service
 * and the folder throws; after that the record is returned whatever happens, and a failing disk is said last.
 */
export async function runToEnd(
  asked: RunRequest,
  path: string,
  serviceToOpen: ServiceRequest,
  { terminal, exitNow }: CommandContext,
): Promise<FinishedRun> {
  let service: OpenService | undefined;
  let agents: AgentsLoad | undefined;
  let view: RunView | undefined;
  let exports: LiveExports | undefined;
  const interrupts = listenForInterrupts(
    () => terminal.say('Stopping: the step ends here, what was measured is kept. Once more stops at once.'),
    () =>
      void (service?.stop() ?? Promise.resolve()).finally(() =>
        exitNow(interrupts.exitCode() ?? EXIT.interrupted),
      ),
  );
  try {
    await RunFolder.requireUnused(path);
    const proven = await proveService(serviceToOpen);
    const request = underLimits(asked, proven.grant, Date.now());
    const { until } = proven.grant;
    if (until !== undefined)
      interrupts.endAt(until, () =>
        terminal.say('The permission has ended, and the load with it; what was measured is kept.'),
      );
    exports = await openExports(asked.exportTargets ?? [], asked.label, (text) => terminal.say(text));
    service = await openService(watchedHere(asked, serviceToOpen), proven);
    if (request.agents !== undefined)
      agents = await openAgentsLoad(request, request.agents, service, serviceToOpen, {
        say: (text) => terminal.say(text),
        signal: interrupts.signal,
      });
    await requireSendable(request.plan, service);
    const manifest = manifestOf(request, service, new Date().toISOString());
    const folder = await RunFolder.create(path, manifest, request.workload);
    announce(request, service, path, terminal);
    view = viewOf(request, service, terminal);
    const performed = await performRun(
      request,
      manifest,
      service,
      folder,
      {
        onEvent: tee(view.onEvent, exports.onEvent),
        say: (text) => terminal.say(text),
        signal: interrupts.signal,
      },
      agents,
    );
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
    view?.close();
    await exports?.close();
    await agents?.close();
    await service?.stop();
    interrupts.release();
  }
}

/** What an agent watches, being nearest to the service, is not looked for here. */
function watchedHere({ agents }: RunRequest, service: ServiceRequest): ServiceRequest {
  if (agents?.countersFrom === undefined) return service;
  const { pid: _, port: __, pages: ___, ...rest } = service;
  return rest;
}

const tee =
  (...listeners: readonly ((event: RunEvent) => void)[]) =>
  (event: RunEvent): void => {
    for (const listener of listeners) listener(event);
  };

/** One screen where the terminal can be taken over, lines elsewhere. */
function viewOf({ label, plan }: RunRequest, service: OpenService, terminal: Terminal): RunView {
  const progress = progressView(plan, terminal);
  const { serverCount, url } = service.description;
  const live = liveView(plan, { label, url, serverCount }, terminal, () =>
    process.kill(process.pid, 'SIGINT'),
  );
  if (live === undefined) return { onEvent: progress, close: () => undefined };
  const steps: RunEvent[] = [];
  const close = (): void => {
    live.close();
    // The steps stay readable above the report once the screen is gone.
    for (const step of steps.splice(0)) progress(step);
  };
  return {
    onEvent: (event) => {
      live.onEvent(event);
      if (event.kind === 'step-finished') steps.push(event);
      if (event.kind === 'finished') close();
    },
    close,
  };
}

function announce({ plan }: RunRequest, service: OpenService, path: string, terminal: Terminal): void {
  const seconds = plan.steps.reduce((sum, step) => sum + step.warmupSeconds + step.measureSeconds, 0);
  const { pid, serverCount, serverCountSource } = service.description;
  const watched =
    pid === undefined
      ? 'no process is watched: the result has no CPU of the service (--pid, --port or --start)'
      : `watching process ${pid}, m = ${serverCount} (${serverCountSource})`;
  const more = plan.growth === undefined ? '' : ' (more follow from what they measure)';
  terminal.say(
    `${counted(plan.steps.length, 'step')}${more} on ${service.description.url}, about ${Math.ceil(seconds)} s; ${watched}; written to ${path}/`,
  );
  if (plan.safety !== undefined) terminal.say(safetyText(plan.safety, service));
}

/** What holds the run back: shown before each, so that nobody is surprised by it. */
function safetyText(
  { maxUsers, maxRatePerSecond, stopOnErrors }: SafetyLimits,
  service: OpenService,
): string {
  const stop =
    stopOnErrors === undefined
      ? 'errors do not stop it'
      : `stops when over ${100 * stopOnErrors.ratio} % of the requests of ${stopOnErrors.seconds} s fail`;
  return `${service.description.proof}; ceiling ${maxUsers} users, ${maxRatePerSecond} requests/s; ${stop}`;
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
  const { state, plan } = record.manifest;
  if (state === 'too-many-errors') {
    const { ratio, seconds } = plan.safety?.stopOnErrors ?? DEFAULT_ERROR_STOP;
    terminal.say(
      `shipload: stopped, as over ${100 * ratio} % of the requests of ${seconds} s failed (--stop-on-errors) [too-many-errors]`,
    );
  }
  if (state === 'agent-lost')
    terminal.say('shipload: a load agent was lost, and the run ended with it (--on-agent-loss) [agent-lost]');
  if (state !== 'service-gone') return;
  terminal.say(
    'shipload: the service ended, or refused every request, in the middle of the run [service-gone]',
  );
  for (const line of service.outputTail().slice(-10)) terminal.say(`  | ${line}`);
}
