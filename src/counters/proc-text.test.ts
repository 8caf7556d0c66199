import assert from 'node:assert/strict';
import test from 'node:test';
import {
  countCpuList,
  parseAllowedCpuCount,
  parseDescriptorLimit,
  parseDiskTimes,
  parseKilobytes,
  parseMachineStat,
  parseProcessStat,
  parseNamedNumber,
  parseRunTimes,
  parseThreadStatus,
} from './proc-text.ts';

const AFTER_NAME =
  'S 7164 7166 3935 0 -1 4194304 98 0 0 0 131 27 500 40 20 0 11 0 85872 3133440 375 18446744073709551615 1 1 0';

for (const name of ['node', 'web (1) worker', 'a) R 1 2 (b', ') 0 0', 'tmux: server', '(sd-pam)', '']) {
  test(`the fields of a stat line are found behind the name '${name}'`, () => {
    assert.deepEqual(parseProcessStat(`7166 (${name}) ${AFTER_NAME}\n`), {
      name,
      state: 'S',
      parentPid: 7164,
      processGroup: 7166,
      cpuTicks: 131 + 27,
      reapedCpuTicks: 500 + 40,
      threadCount: 11,
      startTicks: 85872,
      residentPages: 375,
      majorFaultCount: 0,
    });
  });
}

test('a stat line cut short is no stat', () => {
  for (const text of ['', '12', '12 (node', '12 (node) S 1 2'])
    assert.equal(parseProcessStat(text), undefined);
});

test('run and wait times are in nanoseconds, and missing where the kernel keeps none', () => {
  assert.deepEqual(parseRunTimes('1500000000 250000000 12\n'), { runSeconds: 1.5, waitSeconds: 0.25 });
  assert.equal(parseRunTimes('0 0 0\n'), undefined);
  assert.equal(parseRunTimes(''), undefined);
});

test('the status of a thread tells its state and both kinds of context switches', () => {
  const status =
    'Name:\tworker\nState:\tD (disk sleep)\nTgid:\t7\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n';
  assert.deepEqual(parseThreadStatus(status), {
    state: 'D',
    voluntarySwitchCount: 12,
    involuntarySwitchCount: 3,
  });
  assert.equal(parseThreadStatus('Name:\tworker\nState:\tS (sleeping)\n'), undefined);
});

test('kilobytes and named numbers are read by their whole name', () => {
  assert.equal(parseKilobytes('VmRSS:\t  500 kB\nVmSwap:\t     12 kB\n', 'VmSwap'), 12 * 1024);
  assert.equal(parseKilobytes('VmRSS:\t  500 kB\n', 'VmSwap'), undefined);
  const io = 'rchar: 9\ncancelled_write_bytes: 7\nwrite_bytes: 4096\n';
  assert.equal(parseNamedNumber(io, 'write_bytes'), 4096);
  assert.equal(parseNamedNumber('pswpin 5\npswpout 6\n', 'pswpout'), 6);
  assert.equal(parseNamedNumber('oom_kill_group 3\n', 'oom_kill'), undefined);
});

test('processors of a kernel list are counted', () => {
  const cases: [string, number][] = [
    ['0', 1],
    ['0-3', 4],
    ['0-3,8,10-11\n', 7],
    ['', 0],
  ];
  for (const [list, count] of cases) assert.equal(countCpuList(list), count);
  assert.equal(parseAllowedCpuCount('Name:\tnode\nCpus_allowed:\tb\nCpus_allowed_list:\t0-1,3\n'), 3);
  assert.equal(parseAllowedCpuCount('Name:\tnode\n'), undefined);
});

test('the soft limit of descriptors is read; unlimited is no limit', () => {
  const line = (soft: string): string =>
    `Max processes             7600                 7600                 processes\nMax open files            ${soft}               20000                files     \n`;
  assert.equal(parseDescriptorLimit(line('1024')), 1024);
  assert.equal(parseDescriptorLimit(line('unlimited')), undefined);
});

const MACHINE = `cpu  11987 10 3770 153238 2067 3 168 152 900 0
cpu0 4469 0 1600 79353 115 0 82 77 0 0
cpu1 7517 0 2169 73885 1951 0 86 74 0 0
intr 318879 0 0 0
ctxt 806435
processes 7170
procs_running 3
procs_blocked 0
`;

test('busy time leaves out idle, waiting for disks, and guests that are already counted', () => {
  assert.deepEqual(parseMachineStat(MACHINE), {
    busyTicks: 11987 + 10 + 3770 + 3 + 168 + 152,
    coreCount: 2,
    runnableCount: 3,
  });
  assert.equal(parseMachineStat('intr 1\n'), undefined);
});

test('disk times are fields 13 and 14, of old kernels with 14 fields as of new ones with 20', () => {
  const text = `   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0
 254       0 vda 34225 6802 2807898 74314 7858 23469 2531448 32310 0 22052 107589 3652 86 153768 797 308 166
   8       0 sda 1 2 3 4 5 6 7 8 9 1500 11\n`;
  assert.deepEqual(
    [...parseDiskTimes(text)],
    [
      ['loop0', { busySeconds: 0, queueSeconds: 0 }],
      ['vda', { busySeconds: 22.052, queueSeconds: 107.589 }],
      ['sda', { busySeconds: 1.5, queueSeconds: 0.011 }],
    ],
  );
});
