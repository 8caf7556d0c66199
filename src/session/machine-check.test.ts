import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MachineFacts, NoiseReading } from '../host/machine-facts.ts';
import type { EngineSelfTest } from '../model/machine-check.ts';
import { checkMachine } from './machine-check.ts';

const FACTS: MachineFacts = {
  nodeVersion: 'v22.12.0',
  machineCoreCount: 8,
  usableCores: 8,
  governor: 'performance',
  clockSource: 'tsc',
  descriptorLimit: 65_536,
  portRange: [32_768, 60_999],
  listenBacklog: 4096,
  memoryBytes: 16e9,
  freeMemoryBytes: 8e9,
};
const QUIET: NoiseReading = { lostRatio: 0.001, longestPauseSeconds: 0.0005 };
const ENGINE: EngineSelfTest = {
  cpuSecondsPerRequest: 8e-6,
  throughputPerSecond: 90_000,
  noiseFloorP50Seconds: 0.0001,
  noiseFloorP99Seconds: 0.0008,
  errorCount: 0,
};

test('a good machine: its rate is 80 % of a core by the cost of a request, its connections those of the ports', () => {
  const { grade, honestRatePerSecond, connectionLimit, checks } = checkMachine(FACTS, QUIET, ENGINE);
  assert.equal(grade, 'good');
  assert.equal(honestRatePerSecond, 100_000);
  assert.equal(connectionLimit, 28_232);
  assert.ok(checks.every((check) => check.advice === undefined && check.line === undefined));
});

test('half a core halves the rate', () =>
  assert.equal(checkMachine({ ...FACTS, usableCores: 0.5 }, QUIET, ENGINE).honestRatePerSecond, 50_000));

const cases: readonly [
  title: string,
  id: string,
  result: string,
  facts?: Partial<MachineFacts>,
  noise?: Partial<NoiseReading>,
  engine?: Partial<EngineSelfTest>,
][] = [
  ['an old Node', 'node', 'poor', { nodeVersion: 'v18.20.0' }],
  ['a Node between the tested lines', 'node', 'poor', { nodeVersion: 'v22.11.0' }],
  ['one core', 'cores', 'weak', { usableCores: 1 }],
  ['a quota of half a core', 'cores', 'poor', { usableCores: 0.5 }],
  ['a container with little memory', 'memory', 'weak', { memoryLimitBytes: 256 * 2 ** 20 }],
  ['a governor that saves', 'governor', 'weak', { governor: 'powersave' }],
  ['a slow clock', 'clock-source', 'weak', { clockSource: 'acpi_pm' }],
  ['few descriptors', 'descriptors', 'weak', { descriptorLimit: 1024 }],
  ['hardly any descriptors', 'descriptors', 'poor', { descriptorLimit: 256 }],
  ['few ports', 'ports', 'weak', { portRange: [50_000, 60_000] }],
  ['a neighbour', 'noise', 'weak', {}, { lostRatio: 0.05 }],
  ['a loud neighbour', 'noise', 'poor', {}, { lostRatio: 0.3 }],
  ['a single long pause', 'noise', 'weak', {}, { longestPauseSeconds: 0.02 }],
  ['a tail of the machine’s own', 'engine', 'weak', {}, {}, { noiseFloorP99Seconds: 0.02 }],
  ['an echo that fails', 'engine', 'poor', {}, {}, { errorCount: 1 }],
];
for (const [title, id, result, facts = {}, noise = {}, engine = {}] of cases) {
  test(`${title}: ${id} is ${result}, and so is the machine`, () => {
    const document = checkMachine({ ...FACTS, ...facts }, { ...QUIET, ...noise }, { ...ENGINE, ...engine });
    assert.equal(document.checks.find((check) => check.id === id)?.result, result);
    assert.equal(document.grade, result);
  });
}

test('descriptors limit the connections where they are fewer than the ports', () =>
  assert.equal(checkMachine({ ...FACTS, descriptorLimit: 1024 }, QUIET, ENGINE).connectionLimit, 960));
