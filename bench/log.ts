import { spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readLog } from '../src/access-log/read-log.ts';
import { modelLog } from '../src/pipeline.ts';
import { openLogs } from '../src/session/read-text.ts';
import { writeLog } from './log-file.ts';

/**
 * CPU and memory that reading a log costs, beside `wc -l`, awk, readline with a regular expression, and
 * goaccess where it is installed, in interleaved rounds on a log that is made for it. CPU time is compared,
 * not wall-clock time: on a shared machine it is the figure that stays. Only what two threads gain is a matter
 * of time.
 *
 * `npm run bench:log [megabytes] [rounds]`
 */
const PROGRAM = fileURLToPath(import.meta.url);
const LINE =
  /^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)" ([\d.]+|-)$/;

/** What runs in a process of its own, so that its memory and its CPU are its own. */
const TASKS: Readonly<Record<string, (path: string) => Promise<number>>> = {
  scan: async (path) => {
    const keep = { busiestSeconds: 900 };
    return (await readLog(await openLogs([path], { threads: 1 }), { keep })).lines.ok;
  },
  threads: async (path) => {
    const keep = { busiestSeconds: 900 };
    return (await readLog(await openLogs([path], { threads: 2 }), { keep })).lines.ok;
  },
  table: async (path) => (await readLog(await openLogs([path]))).lines.ok,
  model: async (path) => (await modelLog(await openLogs([path], { threads: 1 }), {})).lines.ok,
  regex: async (path) => {
    const clients = new Map<string, number>();
    const requests = new Map<string, number>();
    let lines = 0;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const fields = LINE.exec(line);
      if (fields === null) continue;
      lines += 1;
      clients.set(fields[1]!, (clients.get(fields[1]!) ?? 0) + 1);
      const request = `${fields[3]} ${fields[4]}`;
      requests.set(request, (requests.get(request) ?? 0) + 1);
    }
    return lines;
  },
};

interface Contender {
  readonly name: string;
  readonly command: readonly string[];
  /** Of the log, for a program that would take minutes over the whole. */
  readonly share?: number;
}

const GOACCESS_SHARE = 0.02;

interface Cost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes?: number;
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function contenders(path: string, startPath: string): Contender[] {
  const task = (name: string): Contender => ({
    name,
    command: [process.execPath, PROGRAM, '--task', name, path],
  });
  const goaccess = [
    'goaccess',
    startPath,
    '--no-progress',
    '--log-format=%h - - [%d:%t %^] "%r" %s %b "%R" "%u" %T',
  ];
  return [
    task('scan'),
    task('threads'),
    task('model'),
    task('table'),
    task('regex'),
    { name: 'wc -l', command: ['wc', '-l', path] },
    {
      name: 'awk, counts by status',
      command: ['awk', '{ n[$9]++ } END { for (s in n) print s, n[s] }', path],
    },
    ...(has('goaccess')
      ? [
          {
            name: `goaccess, ${100 * GOACCESS_SHARE} % of it`,
            command: [...goaccess, '--date-format=%d/%b/%Y', '--time-format=%T', '-o', `${startPath}.json`],
            share: GOACCESS_SHARE,
          },
        ]
      : []),
  ];
}

/**
 * The CPU of the shell's children as POSIX `times` prints it in its last line, minutes and seconds, user and
 * system, and how long it all took.
 */
function run({ name, command }: Contender): Cost {
  const startedAt = performance.now();
  const { stdout, stderr, status } = spawnSync('sh', ['-c', '"$@" && times', 'sh', ...command], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const wallSeconds = (performance.now() - startedAt) / 1e3;
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  const times = stdout.trimEnd().split('\n').at(-1)!;
  const cpuSeconds = [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
  const peak = /peak (\d+)/.exec(stdout)?.[1];
  return { cpuSeconds, wallSeconds, ...(peak !== undefined && { peakMegabytes: Number(peak) }) };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;

function compare(megabytes: number, rounds: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-bench-'));
  const path = join(folder, 'access.log');
  try {
    const lines = writeLog(path, megabytes * 1e6);
    const bytes = statSync(path).size;
    console.log(`${lines} lines, ${(bytes / 1e6).toFixed(0)} MB, ${rounds} rounds, medians`);
    const startPath = join(folder, 'start.log');
    writeLog(startPath, megabytes * 1e6 * GOACCESS_SHARE);
    const all = contenders(path, startPath);
    const costs = Array.from({ length: rounds }, () => all.map(run));
    const cpuOf = (index: number): number => median(costs.map((round) => round[index]!.cpuSeconds));
    const scan = cpuOf(0);
    all.forEach(({ name, share = 1 }, index) => {
      const cpu = cpuOf(index) / share;
      const peaks = costs.flatMap((round) => round[index]!.peakMegabytes ?? []);
      const memory = peaks.length > 0 ? `, peak ${median(peaks)} MB` : '';
      console.log(
        `${name.padEnd(22)} ${(bytes / 1e6 / cpu).toFixed(0).padStart(5)} MB per CPU second, ${(cpu / scan).toFixed(2)} × scan${memory}`,
      );
    });
    const wallOf = (index: number): number => median(costs.map((round) => round[index]!.wallSeconds));
    const speedOf = (index: number): string => `${(bytes / 1e6 / wallOf(index)).toFixed(0)} MB/s`;
    console.log(
      `by the clock, process and all: ${speedOf(0)} with one thread, ${speedOf(1)} with two (${(wallOf(1) / wallOf(0)).toFixed(2)} × the time of one)`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[2] === '--task') {
  const lines = await TASKS[process.argv[3]!]!(process.argv[4]!);
  console.log(`${lines} lines, peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
} else compare(Number(process.argv[2] ?? 1200), Number(process.argv[3] ?? 3));
