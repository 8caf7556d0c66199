import { join } from 'node:path';
import { ShiploadError } from '../../errors.ts';
import { RunFolder } from '../../host/run-folder.ts';
import { pinGenerator } from '../../host/pinning.ts';
import type { Pinning } from '../../model/record.ts';
import { jsonReporter } from '../../report/json.ts';
import { renderText } from '../../report/text.ts';
import { type RunRequest } from '../../session/run-request.ts';
import { agentsRequest } from '../agents-request.ts';
import type { Command, CommandContext } from '../command.ts';
import { requireGithub, tellGithub } from '../github.ts';
import { OPTION_GROUPS, type OptionValues } from '../options/index.ts';
import { repeatRuns, type RepeatSide } from '../repeat-runs.ts';
import { dryRun } from '../dry-run.ts';
import { optionCheck } from '../option-check.ts';
import { type GivenToRun, openInput } from '../run-input.ts';
import { withPlanFile } from '../plan-file-input.ts';
import { placedInPlan } from '../plan-places.ts';
import { parseTargets, runPlace, safetyRequest } from '../run-request.ts';
import type { ServiceRequest } from '../../session/open-service.ts';
import { runToEnd } from '../run-to-end.ts';
import { namingLater, requireSecondService, secondService } from '../second-service.ts';

export const run: Command = {
  name: 'run',
  usage: '[access.log|shipload.yaml|workload.json|scenario.ts|FILE|URL]',
  summary:
    'put the load of a log, a scenario, a HAR, OpenAPI, k6 or curl file, or a URL on a service, step by step, and judge what it carries',
  options: [
    ...OPTION_GROUPS.service,
    ...OPTION_GROUPS.load,
    'generators',
    'pin',
    ...OPTION_GROUPS.content,
    ...OPTION_GROUPS.request,
    'target',
    ...OPTION_GROUPS.judging,
    'label',
    'out',
    'samples',
    'secret',
    'seed',
    'exportTo',
    'github',
    'dryRun',
    ...OPTION_GROUPS.safety,
    ...OPTION_GROUPS.agents,
    ...OPTION_GROUPS.broker,
    ...OPTION_GROUPS.log,
  ],
  example:
    "shipload run access.log --url http://127.0.0.1:8080 --start './service' --target 'p95 of /search <= 200 ms at 200 users'",
  async run([named], allOptions, asked) {
    const { input, options, given, plan } = await withPlanFile(named, allOptions, asked.given);
    const check = optionCheck(asked.given, given, (text) => asked.terminal.say(text));
    const context = { ...asked, given, commandLine: withPlanName(asked.commandLine, named, plan?.path) };
    const asking = { given, check };
    if (options.dryRun === true) return placedInPlan(plan, () => dryRun(input, options, asking, context));
    if (options.github === true) requireGithub();
    const { request, place, service } = await placedInPlan(plan, () =>
      prepare(input, options, asking, context),
    );
    const { repeat = 1, against } = options;
    if (repeat > 1 || against !== undefined) {
      const second = against === undefined ? undefined : secondService(against, options);
      await RunFolder.requireUnused(place.path);
      if (second !== undefined) await requireSecondService(request, second);
      return repeatRuns(repeatSides(request, place.path, service, second, context), {
        count: repeat,
        json: options.json === true,
        github: options.github === true,
        terminal: context.terminal,
      });
    }
    const { record, exitCode } = await runToEnd(request, place.path, service, context);
    if (options.github === true) await tellGithub(record, context.terminal);
    context.terminal.print(
      options.json === true ? jsonReporter.render(record) : renderText(record, context.terminal),
    );
    return exitCode;
  },
};

/** What is run again later names the plan file that was found. */
function withPlanName(
  commandLine: readonly string[],
  named: string | undefined,
  path: string | undefined,
): readonly string[] {
  if (named !== undefined || path === undefined) return commandLine;
  const at = commandLine.indexOf('run') + 1;
  return [...commandLine.slice(0, at), path, ...commandLine.slice(at)];
}

/** One side, or two where the runs go `--against` another service. Routes are isolated after the last run only. */
function repeatSides(
  { isolateSeconds, ...request }: RunRequest,
  path: string,
  service: ServiceRequest,
  second: ServiceRequest | undefined,
  context: CommandContext,
): RepeatSide[] {
  const side = (folder: string, label: string, at: ServiceRequest): RepeatSide => ({
    folder,
    run: (place, isLast) => {
      const isolates = isLast && second === undefined && isolateSeconds !== undefined;
      return runToEnd({ ...request, label, ...(isolates && { isolateSeconds }) }, place, at, context);
    },
  });
  if (second === undefined) return [side(path, request.label, service)];
  const other = side(join(path, 'b'), `${request.label}-b`, second);
  return [
    side(join(path, 'a'), `${request.label}-a`, service),
    { ...other, run: (place, isLast) => namingLater(() => other.run(place, isLast)) },
  ];
}

/** For `--confirm` without a limit. */
const CONFIRM_SECONDS = 60;

/** Everything that can be wrong with the input is found before anything starts. */
async function prepare(
  input: string,
  options: OptionValues,
  asking: GivenToRun,
  { terminal, commandLine }: CommandContext,
) {
  const opened = await openInput(input, parseTargets(options), options, asking);
  const { service, load, workload, replay, scenario, targets } = opened;
  const { plan, peakLoad, notices } = load;
  for (const notice of notices) terminal.say(`Note: ${notice.message}`);
  const place = runPlace(options, new Date());
  const generatorCount = options.generators ?? 1;
  const agents = await agentsRequest(options, opened);
  if (scenario !== undefined && generatorCount > 1)
    throw new ShiploadError('option-invalid', 'a scenario is run by one generator', {
      where: '--generators',
    });
  const pinning = options.pin === undefined ? undefined : pinGenerator(options.pin, generatorCount);
  const request: RunRequest = {
    label: place.label,
    plan,
    ...(replay !== undefined && { replay }),
    ...(scenario !== undefined && { scenario }),
    peakLoad,
    ...(workload !== undefined && { workload }),
    targets,
    marginRatio: options.margin ?? 0.1,
    ...(options.prediction !== undefined && { guess: options.prediction }),
    writeSamples: options.samples === true,
    exportTargets: options.exportTo ?? [],
    // A journey cannot be taken apart: what one request needs the one before has brought.
    ...(options.isolate !== false && scenario === undefined && { isolateSeconds: options.isolateStep ?? 15 }),
    generatorCount,
    ...(agents !== undefined && { agents }),
    ...(pinning !== undefined && { pinning: pinningOf(pinning, service) }),
    ...(options.confirm !== undefined && {
      confirmSeconds: options.confirm === true ? CONFIRM_SECONDS : options.confirm,
    }),
    commandLine,
    planNotices: notices,
    safety: safetyRequest(options),
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
