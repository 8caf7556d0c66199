import assert from 'node:assert/strict';
import test from 'node:test';
import { findCgroupFolders, parseCfsQuota, parseCpuMax, readCpuQuota } from './cgroup.ts';
import { smallerOf } from './usable-cores.ts';

const V2_MOUNT = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n';
const V1_MOUNTS = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
40 31 0:40 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`;

interface QuotaCase {
  readonly title: string;
  readonly cgroup: string;
  readonly mounts: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expected: { readonly cores: number; readonly file: string } | undefined;
}

const CASES: readonly QuotaCase[] = [
  {
    title: 'version 2, the quota of a slice above holds for the service below',
    cgroup: '0::/system.slice/books.service\n',
    mounts: V2_MOUNT,
    files: {
      '/sys/fs/cgroup/system.slice/books.service/cpu.max': 'max 100000\n',
      '/sys/fs/cgroup/system.slice/cpu.max': '150000 100000\n',
    },
    expected: { cores: 1.5, file: '/sys/fs/cgroup/system.slice/cpu.max' },
  },
  {
    title: 'version 2, the tighter of two quotas counts',
    cgroup: '0::/a/b\n',
    mounts: V2_MOUNT,
    files: { '/sys/fs/cgroup/a/b/cpu.max': '50000 100000\n', '/sys/fs/cgroup/a/cpu.max': '200000 100000\n' },
    expected: { cores: 0.5, file: '/sys/fs/cgroup/a/b/cpu.max' },
  },
  {
    title: 'version 2 in a container with its own cgroup namespace',
    cgroup: '0::/\n',
    mounts: V2_MOUNT,
    files: { '/sys/fs/cgroup/cpu.max': '400000 100000\n' },
    expected: { cores: 4, file: '/sys/fs/cgroup/cpu.max' },
  },
  {
    title: 'version 1 beside an empty unified mount',
    cgroup: '3:cpuset:/\n1:cpu,cpuacct:/docker/f00\n0::/\n',
    mounts: V1_MOUNTS,
    files: {
      '/sys/fs/cgroup/cpu,cpuacct/docker/f00/cpu.cfs_quota_us': '250000\n',
      '/sys/fs/cgroup/cpu,cpuacct/docker/f00/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    },
    expected: { cores: 2.5, file: '/sys/fs/cgroup/cpu,cpuacct/docker/f00/cpu.cfs_quota_us' },
  },
  {
    title: "version 1 in a container that mounts only its own part of the host's hierarchy",
    cgroup: '1:cpu,cpuacct:/docker/f00\n',
    mounts:
      '32 31 0:29 /docker/f00 /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n33 31 0:30 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n',
    files: {
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '100000\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    },
    expected: { cores: 1, file: '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us' },
  },
  {
    title: 'a process outside the cgroup namespace of the reader falls back to the mount',
    cgroup: '0::/../../other\n',
    mounts: V2_MOUNT,
    files: { '/sys/fs/cgroup/cpu.max': '300000 100000\n' },
    expected: { cores: 3, file: '/sys/fs/cgroup/cpu.max' },
  },
  { title: 'no quota anywhere', cgroup: '0::/a\n', mounts: V2_MOUNT, files: {}, expected: undefined },
  { title: 'no cgroup file at all', cgroup: '', mounts: '', files: {}, expected: undefined },
];

for (const { title, cgroup, mounts, files, expected } of CASES) {
  test(`CPU quota: ${title}`, () => {
    assert.deepEqual(
      readCpuQuota(findCgroupFolders(cgroup, mounts), (path) => files[path]),
      expected,
    );
  });
}

test('a quota of max or -1 is none', () => {
  assert.equal(parseCpuMax('max 100000\n'), undefined);
  assert.equal(parseCpuMax(''), undefined);
  assert.equal(parseCfsQuota('-1\n', '100000\n'), undefined);
  assert.equal(parseCfsQuota('', ''), undefined);
});

test('the cores a process can use are the smaller of affinity and quota, and say which', () => {
  const quota = { cores: 1.5, file: '/sys/fs/cgroup/cpu.max' };
  assert.deepEqual(smallerOf(4, 8), { cores: 4, source: 'affinity, 4 of 8 cores' });
  assert.deepEqual(smallerOf(1, 8, quota), { cores: 1, source: 'affinity, 1 of 8 cores' });
  assert.deepEqual(smallerOf(4, 8, quota), {
    cores: 1.5,
    source: 'CPU quota, 1.5 of 8 cores (/sys/fs/cgroup/cpu.max)',
  });
});
