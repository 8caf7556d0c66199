import assert from 'node:assert/strict';
import test from 'node:test';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import type { Finding, UseRow } from '../model/analysis.ts';
import type { CounterSeries } from '../model/measurement.ts';
import { useTable } from './use-table.ts';

/** Grows by `amount` over ten seconds. */
const growing = (source: string, quantity: string, amount: number, capacity?: number): CounterSeries => ({
  source,
  quantity,
  unit: 'seconds',
  kind: 'cumulative',
  ...(capacity !== undefined && { capacity }),
  points: [
    [0, 5],
    [10, 5 + amount],
  ],
});
const gauge = (source: string, quantity: string, value: number, capacity?: number): CounterSeries => ({
  source,
  quantity,
  unit: 'count',
  kind: 'gauge',
  ...(capacity !== undefined && { capacity }),
  points: [
    [0, value],
    [10, value],
  ],
});

interface Case {
  readonly title: string;
  readonly resource: UseRow['resource'];
  readonly counters?: readonly CounterSeries[];
  readonly use?: Readonly<Record<string, number>>;
  readonly finding?: string;
  readonly errorCodes?: Readonly<Record<string, number>>;
  readonly expected: readonly [UseRow['verdict'], utilization?: number, saturation?: number, errors?: number];
}

const CASES: readonly Case[] = [
  { title: 'a CPU at 90 % is full', resource: 'cpu', use: { cpu: 0.9 }, expected: ['full', 0.9] },
  {
    title: 'a process that waits a fifth of its ready time for a core has CPU to spare of its own',
    resource: 'cpu',
    use: { cpu: 0.4 },
    counters: [growing('process', 'cpuSeconds', 4), growing('process', 'runQueueWaitSeconds', 1)],
    expected: ['free', 0.4, 0.2],
  },
  {
    title: 'a process throttled in 40 of 100 periods is held by its quota, whatever its use',
    resource: 'cpu',
    use: { cpu: 0.6 },
    counters: [growing('cgroup', 'periodCount', 100), growing('cgroup', 'throttledPeriodCount', 40)],
    expected: ['full', 0.6, 0.4],
  },
  {
    title: 'a thread at 97 % of a core is full',
    resource: 'busiestThread',
    use: { busiestThread: 0.97 },
    expected: ['full', 0.97],
  },
  {
    title: 'a thread at 90 % is only busy',
    resource: 'busiestThread',
    use: { busiestThread: 0.9 },
    expected: ['busy', 0.9],
  },
  {
    title: 'a pool whose eight places are held while twelve wait is full',
    resource: 'pool',
    counters: [gauge('stats', 'poolInUse', 8, 8), gauge('stats', 'poolWaiting', 12)],
    expected: ['full', 1, 12],
  },
  {
    title: 'a pool with three of eight places held is free',
    resource: 'pool',
    counters: [gauge('stats', 'poolInUse', 3, 8)],
    expected: ['free', 0.375],
  },
  {
    title: 'a pool that only the curve shows stands in its row',
    resource: 'pool',
    finding: 'pool',
    expected: ['full'],
  },
  { title: 'a pool nobody tells of is unknown', resource: 'pool', expected: ['unknown'] },
  {
    title: 'a lock held 9 of 10 seconds with three waiting is full',
    resource: 'databaseLock',
    counters: [growing('prometheus', 'lockHeldSeconds', 9, 1), growing('prometheus', 'lockWaitSeconds', 30)],
    expected: ['full', 0.9, 3],
  },
  {
    title: 'a disk at half with tasks that wait for it has room',
    resource: 'disk',
    use: { disk: 0.5 },
    counters: [growing('machine', 'diskQueueSeconds', 8), growing('machine', 'ioPressureSeconds', 3)],
    expected: ['free', 0.5, 0.8],
  },
  {
    title: 'a network that loses packets is suspect',
    resource: 'network',
    counters: [
      growing('machine', 'networkReceivedBytes', 1e6),
      growing('machine', 'networkSentBytes', 3e6),
      growing('machine', 'retransmitCount', 50),
      growing('machine', 'networkErrorCount', 0),
    ],
    expected: ['busy', 4e5, 5, 0],
  },
  {
    title: 'connections that overflow the accept queue are full, with what the client saw',
    resource: 'connections',
    counters: [
      gauge('listener', 'connectionCount', 40),
      gauge('listener', 'acceptQueueCount', 6),
      growing('listener', 'listenOverflowCount', 7),
    ],
    errorCodes: { ECONNRESET: 2, 'http-503': 9 },
    expected: ['full', 0, 6, 9],
  },
  {
    title: 'memory at 90 % of its limit is busy, faults beside it',
    resource: 'memory',
    counters: [
      gauge('cgroup', 'memoryBytes', 90e6, 100e6),
      gauge('machine', 'memoryAvailableBytes', 9e9, 10e9),
      growing('process', 'majorFaultCount', 20),
    ],
    expected: ['busy', 0.9, 2, 0],
  },
  {
    title: 'memory without a limit is that of the machine',
    resource: 'memory',
    counters: [gauge('cgroup', 'memoryBytes', 90e6), gauge('machine', 'memoryAvailableBytes', 4e9, 10e9)],
    expected: ['free', 0.6],
  },
];

for (const { title, resource, counters = [], use = {}, finding, errorCodes = {}, expected } of CASES) {
  test(title, () => {
    const found: Finding[] =
      finding === undefined
        ? []
        : [
            {
              ruleId: 'x',
              claim: 'x',
              confidence: 'high',
              resource: finding,
              evidence: [],
              counterEvidence: [],
            },
          ];
    // Something else that is known, so that there is a table at all.
    const row = stepRow({ users: 10, utilizationRatio: { busiestThread: 0.1, ...use } });
    const table = useTable([row], [stepMeasurement(0, { counters, errorCodes })], found);
    const { verdict, utilization, saturation, errors } = table!.rows.find(
      (one) => one.resource === resource,
    )!;
    const [wanted, ...figures] = expected;
    assert.equal(verdict, wanted);
    [utilization, saturation, errors].forEach((figure, i) => {
      if (figures[i] === undefined) return;
      assert.ok(Math.abs(figure!.value - figures[i]) < 1e-9, `${figure!.value}`);
    });
  });
}

test('a disk that some other load kept busy is not full at this one', () => {
  const warning: Finding = {
    ruleId: 'disk-above-20',
    claim: 'the disk is busy for more than 20 % of the time from 1 user on',
    confidence: 'high',
    resource: 'disk',
    evidence: [],
    counterEvidence: [],
  };
  const row = stepRow({ users: 10, utilizationRatio: { busiestThread: 0.1, disk: 0.005 } });
  const disk = (finding: Finding): UseRow =>
    useTable([row], [], [finding])!.rows.find(({ resource }) => resource === 'disk')!;
  assert.deepEqual([disk(warning).verdict, disk(warning).reason], ['free', 'it has room']);
  assert.equal(disk({ ...warning, ruleId: 'disk-bound' }).verdict, 'full');
});

test('the table is of the valid step of the highest load, and missing where nothing is known', () => {
  const rows = [
    stepRow({ index: 0, users: 10, utilizationRatio: { cpu: 0.2 } }),
    stepRow({ index: 1, users: 40, utilizationRatio: { cpu: 0.8 } }),
    stepRow({ index: 2, users: 80, utilizationRatio: { cpu: 0.9 }, valid: false }),
  ];
  assert.equal(useTable(rows, [], [])?.stepIndex, 1);
  assert.equal(useTable([stepRow({ users: 1 })], [], []), undefined);
  assert.equal(useTable([], [], []), undefined);
});
