import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, findProgram } from './machine.ts';

/** A load generator that others made, asked for one round of a closed loop. */
export interface Peer {
  readonly name: string;
  /** How a reader gets it. */
  readonly install: string;
  /** Shell command; `undefined` where the program is not installed. */
  command(url: string, connections: number, seconds: number): string | undefined;
  /** Requests that were answered, from its output. */
  answers(output: string): number;
}

const firstNumber = (pattern: RegExp, output: string): number => {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`no ${String(pattern)} in:\n${output}`);
  return Number(found);
};

/** The command line of an installed program. */
const when = (program: string, line: (path: string) => string): string | undefined => {
  const path = findProgram(program);
  return path === undefined ? undefined : line(path);
};

function k6Script(url: string): string {
  const path = join(benchFolder, 'k6.js');
  const body = `import http from 'k6/http';\nexport default function () { http.get('${url}'); }\n`;
  writeFileSync(path, body);
  return path;
}

export const PEERS: readonly Peer[] = [
  {
    name: 'wrk',
    install: 'apt install wrk',
    command: (url, connections, seconds) =>
      when('wrk', (wrk) => `${wrk} -t1 -c${connections} -d${seconds}s ${url}`),
    answers: (output) => firstNumber(/(\d+) requests in/, output),
  },
  {
    name: 'hey',
    install: 'go install github.com/rakyll/hey@latest',
    command: (url, connections, seconds) =>
      when('hey', (hey) => `GOMAXPROCS=1 ${hey} -c ${connections} -z ${seconds}s ${url}`),
    answers: (output) => firstNumber(/\[200\]\s+(\d+) responses/, output),
  },
  {
    name: 'autocannon',
    install: 'npm install --prefix bench/peers autocannon',
    command: (url, connections, seconds) =>
      when(
        'autocannon',
        (autocannon) => `${autocannon} -j -c ${connections} -d ${seconds} ${url} 2>/dev/null`,
      ),
    answers: (output) => firstNumber(/"2xx":(\d+)/, output),
  },
  {
    name: 'k6',
    install: 'go install go.k6.io/k6@latest',
    command: (url, connections, seconds) =>
      when('k6', (k6) => {
        const flags = `--vus ${connections} --duration ${seconds}s --quiet --no-usage-report`;
        return `GOMAXPROCS=1 ${k6} run ${flags} ${k6Script(url)} 2>/dev/null`;
      }),
    answers: (output) => firstNumber(/http_reqs[.\s]*:\s*(\d+)/, output),
  },
  {
    name: 'oha',
    install: 'cargo install oha',
    command: (url, connections, seconds) =>
      when('oha', (oha) => `${oha} --no-tui -c ${connections} -z ${seconds}s ${url}`),
    answers: (output) => firstNumber(/\[200\]\s+(\d+) responses/, output),
  },
];

/** The CPU of a shell's children, as POSIX `times` prints it in its second line. */
export function childrenCpuSeconds(output: string): number {
  const last = output.trimEnd().split('\n').at(-1)!;
  const times = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
