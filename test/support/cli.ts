import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ROOT } from './paths.ts';

export const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when stderr has a line that matches. */
  untilSaid(pattern: RegExp): Promise<void>;
}

export interface CliEnvironment {
  readonly nodeArguments?: readonly string[];
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the command line as a child process in `folder`. */
export function startCli(args: readonly string[], folder: string, more: CliEnvironment = {}): Running {
  const child = spawn(process.execPath, [...(more.nodeArguments ?? []), MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...more.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    for (const watcher of watchers) watcher();
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    finished,
    untilSaid: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(stderr)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        void finished.then(() => reject(new Error(`ended without saying ${pattern}: ${stderr}`)));
      }),
  };
}

export function runCli(
  args: readonly string[],
  folder: string,
  more: CliEnvironment = {},
): Promise<Finished> {
  return startCli(args, folder, more).finished;
}

/** A folder that goes with the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A log in the simple format: `users` clients, a fast route three times as often as a slow one. */
export function writeSmallLog(
  folder: string,
  options: { readonly users?: number; readonly fast?: string; readonly slow?: string } = {},
): string {
  const { users = 8, fast = '/items', slow = '/report' } = options;
  const lines: string[] = [];
  for (let second = 0; second < 120; second += 2) {
    for (let user = 0; user < users; user += 1) {
      const atMs = 1_761_750_000_000 + second * 1000 + user * (1000 / users) + ((second * 37) % 300);
      const isSlow = (second / 2 + user) % 4 === 0;
      const path = isSlow
        ? `${slow}?month=${1 + (user % 6)}`
        : `${fast}/${1 + ((second * 7 + user * 13) % 40)}`;
      lines.push(`${Math.floor(atMs)} 10.0.0.${user + 1} GET ${path} 200 ${isSlow ? 25 : 2}`);
    }
  }
  const path = join(folder, 'small.log');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** The command that starts the two-route service on a port. */
export function twoRoutesCommand(
  port: number,
  options: Readonly<Record<string, string | number>> = {},
): string {
  const script = join(ROOT, 'dist', 'test', 'support', 'two-routes.js');
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return ['exec', process.execPath, script, '--port', String(port), ...words]
    .map((word) => `'${word}'`)
    .join(' ')
    .replace("'exec'", 'exec');
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
