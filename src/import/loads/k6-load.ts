import type { ScenarioLoad, Stage } from '../../scenario/types.ts';
import { secondsOf } from '../../stats/duration-text.ts';
import { countText } from '../../stats/wording.ts';
import { isRecord } from '../../stats/is-record.ts';

/** One of k6's scenarios as a load, and what it runs. */
interface PlannedScenario {
  readonly name: string;
  readonly exec: string;
  readonly startSeconds: number;
  readonly load: ScenarioLoad;
  /** Users, or journeys a second, at their most: the weight beside others. */
  readonly size: number;
  readonly seconds: number;
}

/** A load, and how often each function is run beside the others. */
export interface PlannedOptions {
  readonly load?: ScenarioLoad;
  readonly weights: ReadonlyMap<string, number>;
}

type Fields = Readonly<Record<string, unknown>>;

/** k6 counts from its first request; a step here begins with users who settle, as the rungs of stages do. */
const WARMUP_SHARE = 0.2;
const USUAL_SECONDS = 60;
const SHORTCUTS = ['vus', 'duration', 'iterations', 'stages'] as const;
/** Options that say how k6 works, not what is sent or how much. */
const SILENT = new Set([
  'summaryTrendStats',
  'summaryTimeUnit',
  'ext',
  'cloud',
  'tags',
  'systemTags',
  'noUsageReport',
]);
const READ = new Set<string>([...SHORTCUTS, 'scenarios', 'thresholds']);
const EXECUTOR_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'constant-vus': ['vus', 'duration'],
  'ramping-vus': ['startVUs', 'stages'],
  'constant-arrival-rate': ['rate', 'timeUnit', 'duration', 'preAllocatedVUs'],
  'ramping-arrival-rate': ['startRate', 'timeUnit', 'stages', 'preAllocatedVUs'],
  'shared-iterations': ['vus', 'iterations', 'maxDuration'],
  'per-vu-iterations': ['vus', 'iterations', 'maxDuration'],
};
const COMMON_FIELDS = ['executor', 'exec', 'startTime', 'gracefulStop', 'gracefulRampDown', 'tags'];

/** The load that k6's options ask for; what is not taken over goes to `notes`. */
export function loadOf(options: Fields, notes: string[]): PlannedOptions {
  for (const name of Object.keys(options))
    if (!READ.has(name) && !SILENT.has(name))
      notes.push(`options.${name} has no counterpart and is left out.`);
  const scenarios = isRecord(options['scenarios']) ? options['scenarios'] : undefined;
  if (scenarios === undefined) return shortcut(options, notes);
  for (const name of SHORTCUTS)
    if (options[name] !== undefined) notes.push(`options.${name} stands beside scenarios and is left out.`);
  const planned = Object.entries(scenarios).flatMap(([name, scenario]) => {
    const one = scenarioOf(name, isRecord(scenario) ? scenario : {}, notes);
    return one === undefined ? [] : [one];
  });
  return together(planned, notes);
}

/** `vus`, `duration`, `iterations`, `stages` at the top. */
function shortcut(options: Fields, notes: string[]): PlannedOptions {
  const { vus, duration, iterations, stages } = options;
  if (stages !== undefined) {
    const one = scenarioOf('default', { executor: 'ramping-vus', startVUs: vus ?? 1, stages }, notes);
    return together(one === undefined ? [] : [one], notes);
  }
  if (vus === undefined && duration === undefined && iterations === undefined) return { weights: new Map() };
  const executor =
    iterations === undefined
      ? { executor: 'constant-vus', vus, duration }
      : {
          executor: 'shared-iterations',
          vus,
          iterations,
          ...(duration !== undefined && { maxDuration: duration }),
        };
  const one = scenarioOf('default', executor, notes);
  return together(one === undefined ? [] : [one], notes);
}

function scenarioOf(name: string, fields: Fields, notes: string[]): PlannedScenario | undefined {
  const { executor, exec, startTime } = fields;
  const place = `scenario ${name}`;
  const kind = typeof executor === 'string' ? executor : '';
  const known = Object.hasOwn(EXECUTOR_FIELDS, kind) ? EXECUTOR_FIELDS[kind]! : undefined;
  if (known === undefined) {
    notes.push(`${place}: the executor "${kind}" has no counterpart and is left out.`);
    return undefined;
  }
  for (const field of Object.keys(fields))
    if (!known.includes(field) && !COMMON_FIELDS.includes(field)) {
      const advice = field === 'maxVUs' ? '; --max-in-flight holds the requests in flight' : '';
      notes.push(`${place}: ${field} has no counterpart and is left out${advice}.`);
    }
  const load = loadOfExecutor(kind, fields, place, notes);
  if (load === undefined) return undefined;
  return {
    name,
    exec: typeof exec === 'string' ? exec : 'default',
    startSeconds: startTime === undefined ? 0 : secondsOfK6(startTime) || 0,
    ...load,
  };
}

type SizedLoad = Pick<PlannedScenario, 'load' | 'size' | 'seconds'>;

function loadOfExecutor(kind: string, fields: Fields, place: string, notes: string[]): SizedLoad | undefined {
  const { vus, iterations, rate, stages, startVUs, startRate } = fields;
  const perSecond = 1 / (fields['timeUnit'] === undefined ? 1 : secondsOfK6(fields['timeUnit']));
  const refuse = (what: string): undefined => {
    notes.push(`${place}: ${what} is no figure that could be taken over; the scenario is left out.`);
    return undefined;
  };
  if (kind === 'ramping-vus' || kind === 'ramping-arrival-rate') {
    const isUsers = kind === 'ramping-vus';
    const scale = isUsers ? 1 : perSecond;
    if (!(scale > 0)) return refuse('timeUnit');
    const start = isUsers ? (startVUs ?? 1) : (startRate ?? 0);
    const all = stagesOf(stages, typeof start === 'number' ? start : 0, scale, isUsers);
    if (all === undefined) return refuse('stages');
    const size = Math.max(...all.map(({ target }) => target));
    const seconds = all.reduce((sum, { duration }) => sum + secondsOfK6(duration), 0);
    return { load: isUsers ? { stages: all } : { rateStages: all, arrivals: 'constant' }, size, seconds };
  }
  const isRate = kind === 'constant-arrival-rate';
  const size = isRate ? figureOf(rate, Number.NaN) * perSecond : Math.round(figureOf(vus, 1));
  if (!(Number.isFinite(size) && size > 0)) return refuse(isRate ? 'rate' : 'vus');
  const isCounted = kind.endsWith('-iterations');
  const given = isCounted ? undefined : fields['duration'];
  if (isCounted) {
    const what = `${figureOf(iterations, 1)} iterations ${kind === 'shared-iterations' ? 'in all' : 'per user'}`;
    notes.push(`${place}: ${what}: a load here lasts a time, not a count; ${USUAL_SECONDS} s are taken.`);
  }
  const seconds = given === undefined ? USUAL_SECONDS : secondsOfK6(given);
  if (!(seconds > 0)) return refuse('duration');
  const times = { step: secondsWord(seconds), warmup: secondsWord(seconds * WARMUP_SHARE) };
  return {
    load: isRate ? { rate: size, ...times, arrivals: 'constant' } : { users: size, ...times },
    size,
    seconds,
  };
}

/** Stages from their start: k6's begin at `start`, ours at none, so that the start is a jump. */
function stagesOf(
  stages: unknown,
  start: number,
  scale: number,
  isUsers: boolean,
): readonly Stage[] | undefined {
  if (!Array.isArray(stages)) return undefined;
  const all: Stage[] = start > 0 ? [{ duration: '0s', target: start * scale }] : [];
  for (const stage of stages as unknown[]) {
    const { duration, target } = isRecord(stage) ? stage : {};
    const seconds = secondsOfK6(duration);
    if (!(seconds >= 0) || typeof target !== 'number' || !(target >= 0) || !Number.isFinite(target))
      return undefined;
    all.push({ duration: secondsWord(seconds), target: isUsers ? Math.round(target) : target * scale });
  }
  return all.some(({ target }) => target > 0) ? all : undefined;
}

/** Several scenarios as one load: side by side where they are alike, one after the other where their times say so. */
function together(planned: readonly PlannedScenario[], notes: string[]): PlannedOptions {
  const [first] = planned;
  if (first === undefined) return { weights: new Map() };
  const alike = planned.every(
    ({ load, startSeconds, seconds }) =>
      Object.keys(load).join() === Object.keys(first.load).join() &&
      startSeconds === 0 &&
      seconds === first.seconds,
  );
  const { users, rate } = first.load;
  const isSteady = users !== undefined || rate !== undefined;
  if (planned.length > 1 && !(alike && isSteady)) {
    for (const { name } of planned.slice(1))
      notes.push(
        `scenario ${name}: it runs beside or after ${first.name} with another load; only ${first.name} is taken over.`,
      );
    return { load: first.load, weights: new Map([[first.exec, 1]]) };
  }
  if (first.startSeconds > 0)
    notes.push(`scenario ${first.name}: startTime is left out; the load begins at once.`);
  const weights = new Map<string, number>();
  for (const { exec, size } of planned) weights.set(exec, (weights.get(exec) ?? 0) + size);
  const size = planned.reduce((sum, one) => sum + one.size, 0);
  if (planned.length > 1)
    notes.push(
      `${countText(planned.length, 'scenario')} side by side are one load of ${size} ${users === undefined ? 'journeys a second' : 'users'}, whose journeys have their shares as weights.`,
    );
  const load =
    planned.length === 1
      ? first.load
      : { ...first.load, ...(users === undefined ? { rate: size } : { users: size }) };
  return { load, weights };
}

const figureOf = (value: unknown, otherwise: number): number =>
  value === undefined ? otherwise : typeof value === 'number' ? value : Number.NaN;

/** `1h30m10s`, `500ms`, or a number of milliseconds. NaN for what is no duration. */
export function secondsOfK6(value: unknown): number {
  if (typeof value === 'number') return value / 1000;
  if (typeof value !== 'string') return Number.NaN;
  const pieces = value.trim().match(/\d+(?:\.\d+)?(?:ms|us|[hms])?/g) ?? [];
  if (pieces.length === 0 || pieces.join('') !== value.trim()) return Number.NaN;
  return pieces.reduce(
    (sum, piece) => sum + (/\d$/.test(piece) ? Number(piece) / 1000 : secondsOf(piece)),
    0,
  );
}

const secondsWord = (seconds: number): string => `${Number(seconds.toFixed(3))}s`;
