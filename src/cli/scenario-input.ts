import { ShiploadError } from '../errors.ts';
import type { LoadBasis } from '../load/load-basis.ts';
import type { PlannedLoad } from '../load/plan-load.ts';
import type { Step } from '../model/load.ts';
import type { Target } from '../model/verdict.ts';
import { stepsOfStages } from '../scenario/stage-steps.ts';
import { secondsFrom } from '../scenario/times.ts';
import type { Scenario, ScenarioLoad } from '../scenario/types.ts';
import { placeOfField } from '../session/field-place.ts';
import { type OpenScenario, openScenario, requestsOf } from '../session/open-scenario.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { checkTargetRoutes } from '../verdict/target-routes.ts';
import type { OptionValues } from './options/index.ts';
import { parseLoads, parseRates, parseUrl } from './parse-values.ts';
import { type AskedLoad, askedLoad } from './asked-load.ts';
import { planOn } from './run-request.ts';
import { withGiven } from './given-options.ts';

/** A scenario with the options that its file and the command line give together. */
export interface ScenarioInput {
  readonly open: OpenScenario;
  readonly options: OptionValues;
  readonly targets: readonly Target[];
}

/**
 * Opens a scenario file; what the command line gives goes before what the file says. Throws what opening it throws,
 * and `scenario-invalid` or `option-invalid` for its load.
 */
export async function openScenarioInput(
  path: string,
  options: OptionValues,
  given: ReadonlySet<string>,
): Promise<ScenarioInput> {
  const open = await openScenario(path, {
    ...(options.url !== undefined && { url: options.url }),
    ...(options.seed !== undefined && { seed: options.seed }),
    isDry: options.dryRun === true,
  });
  const { spec } = open.compiled;
  const merged = inFile(path, () => withGiven(options, optionsOf(spec), given));
  const texts = given.has('target') ? [] : (spec.targets ?? []);
  const ofFile = texts.map((text, i) => inFile(path, () => targetOf(text, `targets[${i}]`)));
  const targets = [...(merged.target ?? []).map(parseTarget), ...ofFile];
  requireTransport(open, merged);
  return { open, options: merged, targets };
}

/** A target of a scenario's own. Its column is one of the text, not of the file. */
function targetOf(text: string, where: string): Target {
  try {
    return parseTarget(text);
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    const { code, message, hint } = error;
    throw new ShiploadError(code, message, { where, ...(hint !== undefined && { hint }) });
  }
}

function optionsOf({ url, load = {} }: Scenario): OptionValues {
  const { users, rate, step, warmup, arrivals } = load;
  const ways = (['users', 'rate', 'stages', 'rateStages'] as const).filter(
    (name) => load[name] !== undefined,
  );
  if (ways.length > 1)
    throw new ShiploadError(
      'scenario-invalid',
      `${ways.join(' and ')} give the load in several ways; give one`,
      {
        where: 'load',
      },
    );
  return {
    ...(url !== undefined && { url: parseUrl('url', url) }),
    ...(users !== undefined && { users: parseLoads('load.users', listText(users)) }),
    ...(rate !== undefined && { rate: parseRates('load.rate', listText(rate)) }),
    ...(step !== undefined && { step: secondsFrom('load.step', step) }),
    ...(warmup !== undefined && { warmup: secondsFrom('load.warmup', warmup, true) }),
    ...(arrivals !== undefined && { arrivals }),
  };
}

const listText = (loads: number | readonly number[]): string => String(loads);

/** A target at a load that no stage holds would be found to be inconclusive only after the run. */
function requireRungs(
  targets: readonly Target[],
  steps: readonly Step[],
  kind: 'users' | 'rate',
  where: string | undefined,
): void {
  const loadKind = kind === 'users' ? 'users' : 'arrivalRatePerSecond';
  const loads = steps.map(({ driver }) =>
    driver.kind === 'closed' ? driver.users : driver.arrivalRatePerSecond,
  );
  for (const { text, load, loadKind: asked = loadKind } of targets)
    if (load !== undefined && !(asked === loadKind && loads.includes(load)))
      throw new ShiploadError(
        'option-invalid',
        `the target "${text}" cannot be judged: no stage holds its load`,
        {
          ...(where !== undefined && { where }),
          hint: `The stages are measured at ${[...new Set(steps.map(({ label }) => label))].join(', ')}.`,
        },
      );
}

/** The plan of a scenario: its own stages, or the shape that the options ask for. */
export function plannedScenario(
  { open, options, targets }: ScenarioInput,
  given: ReadonlySet<string>,
): PlannedLoad {
  const { rehearsal, path } = open;
  const requests = requestsOf(open);
  // A rehearsal that stumbled has not seen every route.
  if (rehearsal.faults.length === 0)
    checkTargetRoutes(targets, [...new Set(requests.map(({ route }) => route))]);
  const basis: LoadBasis = { requests, notices: [], pausesItself: true };
  const stages = stagesInUse(open, given);
  if (stages === undefined) return planOn(basis, 'steps', targets, sized(options));
  const { arrivals = 'poisson', maxInFlight = 10_000 } = options;
  const steps = inFile(path, () => stepsOfStages(stages.stages, stages.kind, { arrivals, maxInFlight }));
  requireRungs(targets, steps, stages.kind, given.has('target') ? '--target' : placeOfField(path, 'targets'));
  const top = Math.max(...stages.stages.map(({ target }) => target));
  const usual = { ...options, ...(stages.kind === 'users' ? { users: [Math.ceil(top)] } : { rate: [top] }) };
  const { growth: _, ...plan } = planOn(basis, 'steps', [], usual).plan;
  const { usersPerSecond: __, ...paced } = plan;
  return { peakLoad: top, notices: [], plan: { ...paced, shape: 'stages', steps } };
}

/** The load that a scenario is run under: its own stages, or the shape that the options ask for. */
export function scenarioLoadUse({ open, options }: ScenarioInput, given: ReadonlySet<string>): AskedLoad {
  const stages = stagesInUse(open, given);
  if (stages === undefined) return askedLoad(sized(options), 'steps');
  return { shape: 'stages', loadKind: stages.kind === 'users' ? 'users' : 'arrivalRatePerSecond' };
}

const stagesInUse = ({ compiled }: OpenScenario, given: ReadonlySet<string>) =>
  isLoadGiven(given) ? undefined : stagesOf(compiled.spec.load ?? {});

/** One user, where nobody says how many. */
const sized = (options: OptionValues): OptionValues =>
  isSized(options) ? options : { ...options, users: [1] };

function stagesOf({ stages, rateStages }: ScenarioLoad) {
  if (stages !== undefined) return { kind: 'users', stages } as const;
  return rateStages === undefined ? undefined : ({ kind: 'rate', stages: rateStages } as const);
}

const isSized = ({ users, rate, concurrency }: OptionValues): boolean =>
  users !== undefined || rate !== undefined || concurrency !== undefined;

const isLoadGiven = (given: ReadonlySet<string>): boolean =>
  ['users', 'rate', 'concurrency', 'shape'].some((name) => given.has(name));

/** Journeys that compute their requests need a way that carries them. */
function requireTransport({ compiled }: OpenScenario, options: OptionValues): void {
  const isPlain =
    compiled.journeys.every(({ run }) => run === undefined) && compiled.spec.setup === undefined;
  if (isPlain) return;
  const isOther = options.http2 === true || options.http === '2';
  if (!isOther && options.follow === undefined) return;
  throw new ShiploadError(
    'option-invalid',
    'a journey that is a function is sent over HTTP/1.1, each request as it is',
    {
      where: isOther ? '--http2' : '--follow',
      hint: isOther
        ? 'Leave the option away.'
        : 'Send the request that the Location names: answer.header("location").',
    },
  );
}

/** A fault of a field, with the file it is in. */
function inFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    const where = error.where === undefined || error.message.includes(error.where) ? '' : `${error.where}: `;
    const place = error.where === undefined ? undefined : placeOfField(path, error.where);
    throw new ShiploadError(error.code, `${where}${error.message}`, {
      where: place ?? path,
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}
