import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, ShiploadError } from '../errors.ts';
import { secret } from '../host/secret-values.ts';
import type { ImportedLoad } from '../import/loads/imported-load.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { CompiledScenario } from '../scenario/compile.ts';
import { feedsMadeIn, type Feed } from '../scenario/feed.ts';
import { placeOfField } from './field-place.ts';
import { type LoadedScenario, loadScenario, placeOf } from './load-scenario.ts';
import { ownFrames } from './own-stack.ts';
import type { Rehearsal } from './rehearse.ts';

/** What the rehearsing thread is told. */
export interface RehearsalTask {
  readonly path: string;
  readonly origin: string;
  readonly seed: number;
  readonly isDry: boolean;
}

/** What it tells. */
export type RehearsalMessage =
  | { readonly kind: 'journey'; readonly name: string }
  /** A value that the scenario marked: it is hidden in what comes of the rehearsal too. */
  | { readonly kind: 'secret'; readonly value: string }
  | { readonly kind: 'done'; readonly rehearsal: Rehearsal }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string;
      readonly where?: string;
    };

/** A scenario that was loaded and tried without a service. */
export interface OpenScenario {
  readonly path: string;
  /** Where its feeds are looked for. */
  readonly folder: string;
  readonly compiled: CompiledScenario;
  /** Those that the file names; made ready before the load. */
  readonly feeds: ReadonlySet<Feed<unknown>>;
  readonly rehearsal: Rehearsal;
  /** What it was made from, where the file is another tool's. */
  readonly imported?: ImportedLoad;
}

const REHEARSAL_SECONDS = 10;
/** Where the load goes is not always known before it is rehearsed. */
const ANY_ORIGIN = 'http://127.0.0.1';

/**
 * Opens a scenario file. It is rehearsed in a thread of its own first, so that a file that never comes to an end is
 * refused instead of hanging. Throws `scenario-invalid` (and what `loadScenario` throws).
 */
export async function openScenario(
  path: string,
  options: {
    readonly url?: URL;
    readonly seed?: number;
    readonly rehearsalSeconds?: number;
    /** Nothing will be sent. */
    readonly isDry?: boolean;
  } = {},
): Promise<OpenScenario> {
  const { url, seed = 7, rehearsalSeconds = REHEARSAL_SECONDS, isDry = false } = options;
  const task = { path, origin: url?.origin ?? ANY_ORIGIN, seed, isDry };
  const rehearsal = await rehearsed(task, rehearsalSeconds);
  let loaded: LoadedScenario | undefined;
  const feeds = await feedsMadeIn(async () => (loaded = await loadScenario(path, url?.origin, isDry)));
  const { compiled, imported } = loaded!;
  const folder = dirname(resolve(path));
  return { path, folder, compiled, feeds, rehearsal, ...(imported !== undefined && { imported }) };
}

function rehearsed(task: RehearsalTask, seconds: number): Promise<Rehearsal> {
  const worker = new Worker(new URL('./rehearsal-worker.js', import.meta.url), { workerData: task });
  let at = 'while it is loaded';
  let place = task.path;
  return new Promise<Rehearsal>((settle, reject) => {
    const tooLong = (): void =>
      reject(
        new ShiploadError(
          'scenario-invalid',
          `the scenario does not come to an end ${at}, within ${seconds} s`,
          {
            where: place,
            hint: 'Is there a loop that never ends, or a promise that is never kept?',
          },
        ),
      );
    let timer = setTimeout(tooLong, seconds * 1000);
    worker.on('message', (message: RehearsalMessage) => {
      if (message.kind === 'secret') return void secret(message.value);
      clearTimeout(timer);
      if (message.kind === 'journey') {
        at = `in the journey "${message.name}"`;
        place = placeOfField(task.path, `journeys.${message.name}`) ?? task.path;
        timer = setTimeout(tooLong, seconds * 1000);
      } else if (message.kind === 'done') {
        settle(message.rehearsal);
      } else {
        const { code, message: text, hint, where } = message;
        reject(
          new ShiploadError(code, text, {
            ...(hint !== undefined && { hint }),
            ...(where !== undefined && { where }),
          }),
        );
      }
    });
    worker.on('error', (error) => {
      clearTimeout(timer);
      reject(
        new ShiploadError(
          'scenario-invalid',
          `the scenario throws ${at}, where nobody catches it: ${error.message}`,
          {
            where: placeOf(error, task.path) ?? place,
            cause: error,
          },
        ),
      );
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      reject(new ShiploadError('scenario-invalid', `the scenario ends the process ${at}`, { where: place }));
    });
  }).finally(() => void worker.terminate());
}

/**
 * The classes of requests that a scenario is known to send: its plain ones, then what the rehearsal came upon. Shares
 * are those of one run through each journey by weight. Throws `scenario-invalid` where no journey sends anything.
 */
export function requestsOf({ compiled, rehearsal, path }: OpenScenario): readonly PlannedRequest[] {
  const weights = new Map(compiled.journeys.map(({ name, weight }) => [name, weight]));
  const classes = new Map<string, { request: PlannedRequest; weight: number; targets: Set<string> }>();
  for (const request of compiled.requests)
    classes.set(request.id, { request, weight: 0, targets: new Set(request.targets.targets) });
  for (const { journey, method, route, target } of rehearsal.requests) {
    const weight = weights.get(journey);
    if (weight === undefined) continue;
    const id = `${method} ${route}`;
    const known = classes.get(id) ?? {
      request: {
        id,
        method,
        route,
        shareRatio: 0,
        targets: { draw: 'uniform', targets: [], distinctCount: 0 },
      },
      weight: 0,
      targets: new Set<string>(),
    };
    known.weight += weight;
    known.targets.add(target);
    classes.set(id, known);
  }
  const total = [...classes.values()].reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) {
    const [fault] = rehearsal.faults;
    throw new ShiploadError('scenario-invalid', 'no journey sends a request', {
      where: path,
      ...(fault !== undefined && {
        hint: [`${fault.journey} throws: ${fault.message}`, ...ownFrames(fault.stack, 1)].join(' '),
      }),
    });
  }
  return [...classes.values()].map(({ request, weight, targets }) => ({
    ...request,
    shareRatio: weight / total,
    targets: { draw: 'uniform', targets: [...targets], distinctCount: targets.size },
  }));
}
