import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionCheck, unusedOptions } from './option-check.ts';
import type { OptionUse } from './options/applies.ts';
import type { OptionDefinition } from './options/definition.ts';
import { OPTIONS } from './options/index.ts';

const rates = { input: 'log', shape: 'rate', loadKind: 'arrivalRatePerSecond' } as const;
const users = { input: 'log', shape: 'steps', loadKind: 'users' } as const;
const sweep = { input: 'url', shape: 'sweep', loadKind: 'concurrency' } as const;
const search = { input: 'url', shape: 'search', loadKind: 'arrivalRatePerSecond' } as const;
const stress = { input: 'url', shape: 'stress', loadKind: 'users' } as const;
const replay = { input: 'log', shape: 'replay' } as const;
const stages = { input: 'scenario', shape: 'stages', loadKind: 'users' } as const;
const soak = { input: 'log', shape: 'soak', loadKind: 'users' } as const;
const workload = { input: 'workload', shape: 'steps', loadKind: 'users' } as const;

type Use = Omit<OptionUse, 'options'> & { readonly options?: OptionUse['options'] };

/** Each option that has a place: a use in which it has a meaning, and uses in which it has none. */
const PLACES: Readonly<Record<string, { readonly in: readonly Use[]; readonly notIn: readonly Use[] }>> = {
  users: { in: [users], notIn: [replay] },
  concurrency: { in: [sweep], notIn: [replay] },
  rate: { in: [rates], notIn: [replay] },
  arrivals: { in: [rates, search], notIn: [users, sweep, replay] },
  maxInFlight: { in: [rates, replay], notIn: [users, sweep, stages] },
  usersPerSecond: { in: [users, stress], notIn: [rates, sweep, stages, replay] },
  think: { in: [users, stages], notIn: [rates, sweep, replay] },
  step: { in: [users, replay], notIn: [stages] },
  duration: { in: [users, replay], notIn: [stages] },
  warmup: { in: [users], notIn: [stages, replay] },
  speed: { in: [replay], notIn: [users, sweep, stages] },
  extend: { in: [users, sweep, rates], notIn: [search, stress, soak, replay] },
  maxLoad: { in: [stress, search, { ...sweep, options: { extend: true } }], notIn: [users, sweep, soak] },
  precision: { in: [search], notIn: [users, stress, sweep] },
  maxErrors: { in: [stress], notIn: [search, users] },
  maxResponse: { in: [stress], notIn: [search, users] },
  isolateStep: {
    in: [users],
    notIn: [stages, { ...users, options: { isolate: false } }, { ...users, options: { against: 'x' } }],
  },
  method: { in: [sweep], notIn: [users, stages] },
  data: { in: [sweep, { ...users, options: { write: 'POST /' } }], notIn: [users, stages] },
  write: { in: [users, sweep], notIn: [stages, replay] },
  writeRatio: { in: [{ ...users, options: { write: 'POST /' } }], notIn: [users] },
  readyTimeout: { in: [{ ...users, options: { start: './service' } }], notIn: [users] },
  margin: { in: [{ ...users, options: { target: ['p95 <= 1 s'] } }, { input: 'run' }], notIn: [users] },
  confirm: { in: [users, sweep], notIn: [stages] },
  smoke: { in: [users, sweep, rates, stress], notIn: [soak, search, replay, stages] },
  github: {
    in: [users],
    notIn: [
      { ...users, options: { repeat: 5 } },
      { ...users, options: { against: 'x' } },
    ],
  },
  format: { in: [users, { input: 'log' }], notIn: [sweep, stages, workload, { input: 'run' }] },
  window: { in: [users], notIn: [sweep, workload] },
  sessionTimeout: { in: [users], notIn: [sweep, workload] },
  routes: { in: [users], notIn: [sweep, workload] },
  keepValues: { in: [users], notIn: [sweep, workload] },
  cache: { in: [{ demo: 'catalogue' }], notIn: [{ demo: 'pool' }, { demo: 'ledger' }, { demo: 'zoo' }] },
  full: { in: [{ demo: 'catalogue' }, { demo: 'pool' }, { demo: 'ledger' }], notIn: [{ demo: 'zoo' }] },
  variant: { in: [{ demo: 'zoo' }], notIn: [{ demo: 'catalogue' }, { demo: 'pool' }, { demo: 'zoo list' }] },
  seed: { in: [users, { demo: 'zoo' }], notIn: [{ input: 'log', draws: false }] },
  out: { in: [users], notIn: [{ demo: 'zoo list', writes: false }] },
  allowedRate: { in: [{ input: 'url' }], notIn: [{ input: 'url', options: { revoke: true } }] },
  until: { in: [{ input: 'url' }], notIn: [{ input: 'url', options: { revoke: true } }] },
};

const isUsed = (name: string, use: Use): boolean =>
  unusedOptions(new Set([name]), { options: {}, ...use }).length === 0;

test('an option has a meaning where its place is, and nowhere else', () => {
  for (const [name, places] of Object.entries(PLACES)) {
    for (const use of places.in) assert.ok(isUsed(name, use), `${name} in ${JSON.stringify(use)}`);
    for (const use of places.notIn) assert.ok(!isUsed(name, use), `${name} in ${JSON.stringify(use)}`);
  }
});

test('every option that says where it has a place stands in the table above', () => {
  const placed = Object.entries<OptionDefinition<unknown>>(OPTIONS).filter(
    ([, { applies }]) => applies !== undefined,
  );
  assert.deepEqual(placed.map(([name]) => name).toSorted(), Object.keys(PLACES).toSorted());
});

test('on the command line it is refused with its rule and what the run is; of a plan file it is noted', () => {
  const use = { ...sweep, options: {} };
  assert.throws(() => optionCheck(new Set(['precision']))(use), {
    code: 'option-invalid',
    where: '--precision',
    message: /--precision is for --shape search/,
    hint: /--shape sweep, of workers \(-c\), from a URL/,
  });
  const notes: string[] = [];
  optionCheck(new Set(), new Set(['precision']), (text) => notes.push(text))(use);
  assert.match(notes.join('\n'), /^Note: --precision is for --shape search; the plan gives it to no effect$/);
});
