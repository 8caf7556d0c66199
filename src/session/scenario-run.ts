import { Recorder } from '../drive/recorder.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import { type JourneyFault, ScenarioRecord } from '../drive/scenario-record.ts';
import type { ScenarioHost, ScenarioRun } from '../drive/scenario-host.ts';
import { ScenarioUser } from '../drive/scenario-user.ts';
import { ShiploadError } from '../errors.ts';
import type { Clock } from '../host/host.ts';
import type { Notice } from '../model/notice.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { CompiledScenario } from '../scenario/compile.ts';
import { placeOf } from './load-scenario.ts';
import { type OpenFeeds, openFeeds } from './open-feeds.ts';
import type { OpenScenario } from './open-scenario.ts';
import { ownFrames } from './own-stack.ts';
import { redactText } from './redact.ts';
import { alone } from './rehearse.ts';

/** A scenario at work on a service, until it is closed. */
export interface RunningScenario {
  readonly run: ScenarioRun;
  /** What was thrown, for the record. */
  notices(): readonly Notice[];
  close(): Promise<void>;
}

export interface ScenarioPlace {
  readonly url: URL;
  readonly clock: Clock;
  readonly protocol: Protocol;
  readonly seed: number;
  /** Those of the run, on every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly say?: (text: string) => void;
  /** Of several generators that hand out the same feeds, which records are this one's. Missing: all. */
  readonly feedPart?: PlanPart;
  /** Where files of feeds lie that are not beside the scenario, by the paths that it names. */
  readonly feedPaths?: ReadonlyMap<string, string>;
}

/**
 * Makes a scenario ready: opens its feeds and runs its `setup` against the service, unmeasured. Throws
 * `scenario-invalid` where setup throws, with the place.
 */
export async function startScenario(
  open: Omit<OpenScenario, 'rehearsal'>,
  place: ScenarioPlace,
): Promise<RunningScenario> {
  const { compiled, path, folder, feeds: named } = open;
  const { feedPart, feedPaths } = place;
  const feeds = openFeeds(folder, feedPart, feedPaths);
  const record = new ScenarioRecord((fault) => place.say?.(faultText(fault)));
  const base = {
    feeds,
    origin: place.url.origin,
    headers: { ...compiled.headers, ...place.headers },
    epochSeconds: () => Date.now() / 1000,
  };
  const onRejection = (error: unknown): void => record.threw('(a promise nobody awaits)', error);
  process.on('unhandledRejection', onRejection);
  const close = async (): Promise<void> => {
    process.off('unhandledRejection', onRejection);
    await feeds.close();
  };
  try {
    for (const feed of named) await feeds.prepare(feed);
    const shared = await runSetup(compiled, path, place, base);
    return {
      run: { ...base, compiled, record, shared },
      notices: () => record.faults.map(noticeOf),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const NO_PROBE = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };

async function runSetup(
  compiled: CompiledScenario,
  path: string,
  { clock, protocol, seed }: ScenarioPlace,
  base: Omit<ScenarioRun, 'compiled' | 'record' | 'shared'> & { readonly feeds: OpenFeeds },
): Promise<unknown> {
  const { setup } = compiled.spec;
  if (setup === undefined) return undefined;
  return new Promise((resolve, reject) => {
    const recorder = new Recorder([], clock.nowSeconds(), NO_PROBE);
    const only = alone(compiled, 'setup', async (client) => {
      try {
        resolve(await setup(client));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        reject(
          new ShiploadError('scenario-invalid', `setup throws: ${message}`, {
            where: placeOf(error, path) ?? path,
            cause: error,
          }),
        );
      }
    });
    const scenario = { ...base, compiled: only, record: new ScenarioRecord(), shared: undefined };
    const routeIndex = (method: string, route: string): number =>
      recorder.addRoute({ id: `${method} ${route}`, route });
    const host: ScenarioHost = { clock, protocol, recorder, seed, scenario, routeIndex };
    const ended = { iterationEnded: () => {}, left: () => {} };
    new ScenarioUser(host, 0, false, ended).begin(clock.nowSeconds());
  });
}

function faultText({ journey, stack }: JourneyFault): string {
  const first = stack.split('\n', 1)[0]!;
  const own = ownFrames(stack, 5).map((frame) => `    ${frame}`);
  return [`Journey ${journey} failed (said once, counted each time): ${first}`, ...own].join('\n');
}

function noticeOf({ journey, message, stack, count }: JourneyFault): Notice {
  const [place] = ownFrames(stack, 1);
  const times = count === 1 ? 'once' : `${count} times`;
  return {
    code: 'journey-failed',
    severity: 'warning',
    message: `journey ${journey} threw ${times}: ${redactText(message).slice(0, 300)}${place === undefined ? '' : ` (${place})`}`,
    advice: 'Each of those runs through the journey ended there; what was sent before is measured.',
  };
}
