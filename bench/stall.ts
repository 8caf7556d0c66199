import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { benchFolder, findProgram, machineText } from './machine.ts';

/**
 * What a reader is told of one stall of two seconds at 10 requests a second over 10 s, by us and by every peer that
 * is installed, beside the service's own count. A hundred requests that come evenly meet it so: twenty wait between
 * 2 and 0.1 s, the others a millisecond; p50 is a millisecond and p95 1.45 s. Whoever waits for an answer before
 * asking again, or starts the clock at the send, reads one slow request among fast ones.
 */
const RATE = 10;
const SECONDS = 10;
const TRUE_P95_MS = 1450;
const STALL_SECONDS = [3, 5];

const runFile = promisify(execFile);
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Tool {
  readonly name: string;
  /** Missing where it is not installed. */
  readonly command: (url: string) => readonly string[] | undefined;
  /** What it prints that is nearest to p95 and not lower; 95 where it prints that. */
  readonly highPercent: number;
  /** Milliseconds by its own output. */
  readonly percentileMs: (output: string, percent: number) => number | undefined;
}

const installed = (program: string, ...words: readonly string[]): readonly string[] | undefined => {
  const path = findProgram(program);
  return path === undefined ? undefined : [path, ...words];
};

/** The first number that `pattern` finds, in milliseconds. */
function figure(output: string, pattern: RegExp, unitMs = 1): number | undefined {
  const text = pattern.exec(output)?.[1];
  return text === undefined ? undefined : Number(text) * unitMs;
}

const UNIT_MS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };

interface OwnReport {
  readonly steps: readonly { readonly overall: Readonly<Record<string, number>> }[];
}

const TOOLS: readonly Tool[] = [
  {
    name: 'shipload --rate 10',
    highPercent: 95,
    command: (url) => [
      process.execPath,
      fileOf('../src/cli/main.js'),
      ...`run ${url} --rate ${RATE} --arrivals constant -z ${SECONDS}s --warmup 0s --json -o ${benchFolder}/stall`.split(
        ' ',
      ),
    ],
    percentileMs: (output, percent) =>
      (JSON.parse(output) as OwnReport).steps[0]!.overall[`p${percent}Seconds`]! * 1e3,
  },
  {
    name: 'wrk -c1 (no rate)',
    highPercent: 99,
    command: (url) => installed('wrk', '-t1', '-c1', `-d${SECONDS}s`, '--latency', url),
    percentileMs: (output, percent) => {
      const [, value, unit] = new RegExp(`^ +${percent}% +([\\d.]+)(us|ms|s)`, 'm').exec(output) ?? [];
      return value === undefined ? undefined : Number(value) * UNIT_MS[unit!]!;
    },
  },
  {
    name: 'hey -c1 -q10',
    highPercent: 95,
    command: (url) => installed('hey', '-c', '1', '-q', String(RATE), '-z', `${SECONDS}s`, url),
    percentileMs: (output, percent) => figure(output, new RegExp(`${percent}%+ in ([\\d.]+) secs`), 1e3),
  },
  {
    name: 'ab -c1 (no rate)',
    highPercent: 95,
    command: (url) => installed('ab', '-q', '-k', '-c', '1', '-n', '1000000', '-t', String(SECONDS), url),
    percentileMs: (output, percent) => figure(output, new RegExp(`^ +${percent}% +(\\d+)`, 'm')),
  },
  {
    name: 'autocannon -c1 -R10',
    highPercent: 97.5,
    command: (url) =>
      installed('autocannon', '-j', '-c', '1', '-R', String(RATE), '-d', String(SECONDS), url),
    percentileMs: (output, percent) =>
      figure(output, new RegExp(`"latency":\\{[^}]*"p${String(percent).replace('.', '_')}":([\\d.]+)`)),
  },
];

async function measure(tool: Tool): Promise<void> {
  const [fromSeconds, untilSeconds] = STALL_SECONDS;
  const words = [fileOf('./stall-service.js'), String(fromSeconds), String(untilSeconds)];
  const service = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${line.toString().trim()}`;
    const command = tool.command(`${url}/`);
    if (command === undefined) {
      console.log(`${tool.name.padEnd(22)} not installed: skipped`);
      return;
    }
    const { stdout } = await runFile(command[0]!, command.slice(1), { maxBuffer: 1 << 26 });
    const count = await (await fetch(`${url}/count`)).text();
    const [middle, high] = [50, tool.highPercent].map((percent) => tool.percentileMs(stdout, percent));
    const text = (value: number | undefined): string =>
      value === undefined ? 'not printed' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
    console.log(
      `${tool.name.padEnd(22)} p50 ${text(middle).padStart(8)}   ` +
        `${`p${tool.highPercent} ${text(high)}`.padEnd(14)}  ${count} requests at the service`,
    );
  } finally {
    service.kill();
  }
}

console.log(
  `one stall of 2 s at ${RATE} requests/s over ${SECONDS} s; the truth: p50 1 ms, p95 ${TRUE_P95_MS} ms`,
);
console.log(machineText());
for (const tool of TOOLS) await measure(tool);
