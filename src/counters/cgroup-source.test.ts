import assert from 'node:assert/strict';
import test from 'node:test';
import { createCgroupSource } from './cgroup-source.ts';

const V2 = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n';
const V1 = `32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu
33 31 0:30 / /cg/cpuacct rw - cgroup cgroup rw,cpuacct
35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n`;

const open = (cgroup: string, mounts: string, files: Readonly<Record<string, string>>) =>
  createCgroupSource(7, (path) => {
    if (path === '/proc/7/cgroup') return cgroup;
    return path === '/proc/self/mountinfo' ? mounts : files[path];
  });

const figures = (source: ReturnType<typeof open>): Record<string, readonly (number | undefined)[]> =>
  Object.fromEntries(
    (source?.read() ?? []).map(({ quantity, value, capacity }) => [
      quantity,
      capacity === undefined ? [value] : [value, capacity],
    ]),
  );

test('version 2: throttling is read where the quota is, memory of the group itself', () => {
  const source = open('0::/pod/app\n', V2, {
    '/sys/fs/cgroup/pod/cpu.max': '50000 100000\n',
    '/sys/fs/cgroup/pod/cpu.stat':
      'usage_usec 9000000\nuser_usec 1\nnr_periods 100\nnr_throttled 60\nthrottled_usec 2500000\n',
    '/sys/fs/cgroup/pod/cpu.pressure': 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\n',
    '/sys/fs/cgroup/pod/app/cpu.max': 'max 100000\n',
    '/sys/fs/cgroup/pod/app/memory.current': '1048576\n',
    '/sys/fs/cgroup/pod/app/memory.max': '4194304\n',
    '/sys/fs/cgroup/pod/app/memory.events': 'low 0\noom 2\noom_kill 1\n',
  });
  assert.deepEqual(figures(source), {
    cpuSeconds: [9, 0.5],
    throttledSeconds: [2.5],
    throttledPeriodCount: [60],
    periodCount: [100],
    memoryBytes: [1048576, 4194304],
    outOfMemoryKillCount: [1],
    cpuPressureSeconds: [1.5, 1],
  });
});

test('version 1: times are nanoseconds, CPU time stands in a hierarchy of its own, a limit near 2⁶³ is none', () => {
  const source = open('4:memory:/docker/f\n2:cpuacct:/docker/f\n1:cpu:/docker/f\n', V1, {
    '/cg/cpu/docker/f/cpu.cfs_quota_us': '150000\n',
    '/cg/cpu/docker/f/cpu.cfs_period_us': '100000\n',
    '/cg/cpu/docker/f/cpu.stat': 'nr_periods 10\nnr_throttled 4\nthrottled_time 1500000000\n',
    '/cg/cpuacct/docker/f/cpuacct.usage': '3000000000\n',
    '/cg/memory/docker/f/memory.usage_in_bytes': '2048\n',
    '/cg/memory/docker/f/memory.limit_in_bytes': '9223372036854771712\n',
    '/cg/memory/docker/f/memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
  });
  assert.deepEqual(figures(source), {
    cpuSeconds: [3, 1.5],
    throttledSeconds: [1.5],
    throttledPeriodCount: [4],
    periodCount: [10],
    memoryBytes: [2048],
    outOfMemoryKillCount: [3],
  });
});

const WITHOUT: readonly (readonly [string, string, string, Record<string, string>])[] = [
  ['the root of version 2', '0::/\n', V2, { '/sys/fs/cgroup/cpu.stat': 'usage_usec 5\n' }],
  ['the root of version 1', '1:cpu:/\n4:memory:/\n', V1, { '/cg/cpu/cpu.cfs_quota_us': '-1\n' }],
  ['a system without cgroups', '', '', {}],
];
for (const [title, cgroup, mounts, files] of WITHOUT) {
  test(`${title} has no figures that are not the machine's`, () => {
    assert.equal(open(cgroup, mounts, files), undefined);
  });
}
