import { ShiploadError } from '../errors.ts';
import { didYouMean } from '../stats/did-you-mean.ts';
import type { Scenario } from './types.ts';
import { shown } from './values.ts';
import { isRecord } from '../stats/is-record.ts';

const FIELDS = ['kind', 'url', 'headers', 'thinkTime', 'load', 'targets', 'setup', 'userSetup', 'journeys'];
const LOAD_FIELDS = ['users', 'rate', 'stages', 'rateStages', 'step', 'warmup', 'arrivals'];
const STAGE_FIELDS = ['duration', 'target'];
const ARRIVALS = ['poisson', 'constant'];

/** What a file exports, as far as its journeys. Throws `scenario-invalid` with the field that is wrong. */
export function requireScenario(exported: unknown): Scenario {
  if (!isRecord(exported) || exported['kind'] !== 'scenario')
    throw wrong(
      'default',
      'the file exports no scenario',
      'End it with: export default scenario({ journeys: { … } })',
    );
  requireFields('scenario', exported, FIELDS);
  const { journeys, headers, url, targets, load } = exported;
  if (!isRecord(journeys) || Object.keys(journeys).length === 0)
    throw wrong('journeys', 'a scenario needs journeys, by name');
  for (const name of ['setup', 'userSetup'])
    if (exported[name] !== undefined && typeof exported[name] !== 'function')
      throw wrong(name, 'is no function');
  if (headers !== undefined && !(isRecord(headers) && Object.values(headers).every(isText)))
    throw wrong('headers', 'are texts by name');
  if (url !== undefined && !isText(url)) throw wrong('url', `${shown(url)} is no url`);
  if (targets !== undefined && !(Array.isArray(targets) && targets.every(isText)))
    throw wrong('targets', "are a list of texts such as ['p95 <= 200 ms']");
  if (load !== undefined) requireLoad(load);
  return exported as unknown as Scenario;
}

function requireLoad(load: unknown): void {
  if (!isRecord(load)) throw wrong('load', `is ${shown(load)}, not { users: … } or another way to give it`);
  requireFields('load', load, LOAD_FIELDS);
  const { users, rate, stages, rateStages, step, warmup, arrivals } = load;
  for (const [name, loads] of Object.entries({ users, rate }))
    if (loads !== undefined && ![loads].flat().every((one) => typeof one === 'number' || isText(one)))
      throw wrong(`load.${name}`, `${shown(loads)} is no number, and no list of them`);
  for (const [name, list] of Object.entries({ stages, rateStages }))
    if (list !== undefined) requireStages(`load.${name}`, list);
  for (const [name, time] of Object.entries({ step, warmup }))
    if (time !== undefined && typeof time !== 'number' && !isText(time))
      throw wrong(`load.${name}`, `${shown(time)} is no duration such as 60, '60s' or '500ms'`);
  if (arrivals !== undefined && !ARRIVALS.includes(arrivals as string))
    throw wrong('load.arrivals', `${shown(arrivals)} is neither 'poisson' nor 'constant'`);
}

function requireStages(where: string, stages: unknown): void {
  if (!Array.isArray(stages) || stages.length === 0)
    throw wrong(where, "is a list of stages such as { duration: '30s', target: 10 }");
  for (const [i, stage] of (stages as unknown[]).entries()) {
    if (!isRecord(stage))
      throw wrong(`${where}[${i}]`, "is no stage such as { duration: '30s', target: 10 }");
    requireFields(`${where}[${i}]`, stage, STAGE_FIELDS);
    for (const field of STAGE_FIELDS)
      if (stage[field] === undefined) throw wrong(`${where}[${i}]`, `a stage needs its ${field}`);
  }
}

/** Throws `scenario-invalid` for the first field that is not known. */
export function requireFields(where: string, record: object, known: readonly string[]): void {
  for (const name of Object.keys(record))
    if (!known.includes(name))
      throw wrong(`${where}.${name}`, `there is no such field${didYouMean(name, known)}`);
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const wrong = (where: string, message: string, hint?: string): ShiploadError =>
  new ShiploadError('scenario-invalid', message, { where, ...(hint !== undefined && { hint }) });
