import { LOAD_SHAPES } from '../../load/shapes/index.ts';
import type { PinRequest } from '../../host/pinning.ts';
import {
  parseChoice,
  parseCores,
  parseCount,
  parseDuration,
  parseLoads,
  parsePositive,
  parseRates,
  parseRatio,
  parseThinkTime,
  parseUrl,
} from '../parse-values.ts';
import { define, text } from './definition.ts';

/** Options about the load: shape, size and length. */
export const LOAD_OPTIONS = {
  shape: define({
    flags: '--shape <name>',
    group: 'Load',
    description: `load shape: ${[...LOAD_SHAPES.map((shape) => shape.name), 'replay'].join(', ')} (default: the one that --users, -c or --rate asks for)`,
    parse: text,
  }),
  users: define({
    flags: '--users <list>',
    group: 'Load',
    description: "users per step, as 1,25,50 (default: a ladder up to 1.5 times the log's active users)",
    parse: (value) => parseLoads('--users', value),
  }),
  concurrency: define({
    flags: '-c, --concurrency <list>',
    group: 'Load',
    description: 'workers without think time per step, as 1,2,4,8 (a sweep)',
    parse: (value) => parseLoads('--concurrency', value),
  }),
  rate: define({
    flags: '--rate <list>',
    group: 'Load',
    description: 'arrivals per second per step, as 50,100,200 (open loop)',
    parse: (value) => parseRates('--rate', value),
  }),
  arrivals: define<'poisson' | 'constant'>({
    flags: '--arrivals <kind>',
    group: 'Load',
    description: 'how the arrivals of --rate are spaced: poisson or constant',
    parse: (value) => parseChoice('--arrivals', value, ['poisson', 'constant']),
    fallback: 'poisson',
  }),
  maxInFlight: define({
    flags: '--max-in-flight <n>',
    group: 'Load',
    description: 'with --rate: arrivals are dropped, and counted, while so many are unanswered',
    parse: (value) => parseCount('--max-in-flight', value),
    fallback: 10_000,
  }),
  usersPerSecond: define({
    flags: '--users-per-second <n>',
    group: 'Load',
    description: 'how fast users join',
    parse: (value) => parsePositive('--users-per-second', value),
    fallback: 50,
  }),
  step: define({
    flags: '--step <duration>',
    group: 'Load',
    description: 'length of a step, warm-up included (default: 60s)',
    parse: (value) => parseDuration('--step', value),
  }),
  duration: define({
    flags: '-z, --duration <duration>',
    group: 'Load',
    description: 'measured time of a step, after its warm-up; instead of --step',
    parse: (value) => parseDuration('--duration', value),
  }),
  warmup: define({
    flags: '--warmup <duration>',
    group: 'Load',
    description: 'part of each step that is not measured (default: 20s; with -z a fifth of it, at most 5s)',
    parse: (value) => parseDuration('--warmup', value, true),
  }),
  generators: define({
    flags: '--generators <n>',
    group: 'Load',
    description: 'threads that make the load; each takes its share of the users or arrivals',
    parse: (value) => parseCount('--generators', value),
    fallback: 1,
  }),
  pin: define<PinRequest>({
    flags: '--pin [cores]',
    group: 'Load',
    description:
      'keep the generator to cores of its own, by number as 1 or 2-3 (default: the last), and a service started by --start to the others',
    parse: (value) => parseCores('--pin', value),
    preset: 'any',
  }),
  isolateStep: define({
    flags: '--isolate-step <duration>',
    group: 'Load',
    description: 'length of an isolated route, a fifth of it warm-up',
    parse: (value) => parseDuration('--isolate-step', value),
    fallback: 15,
    fallbackText: '15s',
  }),
  repeat: define({
    flags: '--repeat <n>',
    group: 'Load',
    description: 'run the whole plan n times, each into its own folder; five a side give a tested comparison',
    parse: (value) => parseCount('--repeat', value),
    fallback: 1,
  }),
  against: define({
    flags: '--against <url>',
    group: 'Load',
    description: 'a second service, already running: the repeats alternate between the two, and are compared',
    parse: (value) => parseUrl('--against', value),
  }),
  speed: define({
    flags: '--speed <factor>',
    group: 'Load',
    description: 'replay: so many times faster than the log (default: 1)',
    parse: (value) => parsePositive('--speed', value),
  }),
  extend: define<boolean>({
    flags: '--extend',
    group: 'Load',
    description: 'add steps, ×1.5 each, until the curve has bent, up to 3 times the peak (or --max-load)',
  }),
  maxLoad: define({
    flags: '--max-load <n>',
    group: 'Load',
    description: 'with --extend, stress and search: no load above this',
    parse: (value) => parsePositive('--max-load', value),
  }),
  precision: define({
    flags: '--precision <share>',
    group: 'Load',
    description: 'search: how close the load that fails must be to the one that passes (default: 5%)',
    parse: (value) => parseRatio('--precision', value),
  }),
  maxErrors: define({
    flags: '--max-errors <share>',
    group: 'Load',
    description: 'stress: broken where more requests than this fail (default: 10%)',
    parse: (value) => parseRatio('--max-errors', value),
  }),
  maxResponse: define({
    flags: '--max-response <duration>',
    group: 'Load',
    description: 'stress: broken where p95 is longer than this (default: 10s)',
    parse: (value) => parseDuration('--max-response', value),
  }),
  think: define({
    flags: '--think <time>',
    group: 'Load',
    description: "think time: 2s, 1s..3s or exp:2s (default: the log's own)",
    parse: (value) => parseThinkTime('--think', value),
  }),
} as const;
