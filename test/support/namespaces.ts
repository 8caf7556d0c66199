import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';

const run = (...words: readonly string[]): string => {
  const { status, stderr } = spawnSync(words[0]!, words.slice(1), { encoding: 'utf8' });
  return status === 0 ? '' : `${words.join(' ')}: ${stderr?.trim() ?? 'not found'}`;
};

/** Why network namespaces cannot be made here; undefined where they can. */
export const namespacesMissing: string | undefined = ((): string | undefined => {
  const name = `shipload-probe-${process.pid}`;
  const fault = run('ip', 'netns', 'add', name);
  if (fault !== '') return `no network namespaces here (${fault})`;
  run('ip', 'netns', 'del', name);
  return undefined;
})();

/** A machine of its own as far as the network goes. */
export interface NetworkPlace {
  readonly name: string;
  readonly address: string;
  /** Words before a command that shall run there. */
  readonly within: readonly string[];
  /** Cuts or mends its cable. */
  link(state: 'up' | 'down'): void;
}

let networkCount = 0;

/** Places on one bridge, each with an address; all go with the test. Throws where the system refuses. */
export function layNetwork(t: TestContext, names: readonly string[]): readonly NetworkPlace[] {
  // Names of links hold fifteen characters.
  const id = `${process.pid % 100_000}n${(networkCount += 1)}`;
  const third = (process.pid + 7 * networkCount) % 250;
  const bridge = `sb${id}`;
  const must = (...words: readonly string[]): void => {
    const fault = run(...words);
    if (fault !== '') throw new Error(fault);
  };
  const spaces = names.map((name) => `s${id}-${name}`);
  t.after(() => {
    // A space lives on with what still runs in it; its cable does not.
    for (const [i, space] of spaces.entries()) {
      run('ip', 'link', 'del', `v${id}o${i}`);
      run('ip', 'netns', 'del', space);
    }
    run('ip', 'link', 'del', bridge);
  });
  must('ip', 'link', 'add', bridge, 'type', 'bridge');
  must('ip', 'link', 'set', bridge, 'up');
  return names.map((name, i) => {
    const space = spaces[i]!;
    const [outer, inner] = [`v${id}o${i}`, `v${id}i${i}`];
    const address = `10.233.${third}.${i + 1}`;
    const inside = (...words: readonly string[]): void => must('ip', 'netns', 'exec', space, ...words);
    must('ip', 'netns', 'add', space);
    must('ip', 'link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', space);
    must('ip', 'link', 'set', outer, 'master', bridge, 'up');
    inside('ip', 'link', 'set', 'lo', 'up');
    inside('ip', 'address', 'add', `${address}/24`, 'dev', inner);
    inside('ip', 'link', 'set', inner, 'up');
    return {
      name,
      address,
      within: ['ip', 'netns', 'exec', space],
      link: (state) => must('ip', 'link', 'set', outer, state),
    };
  });
}
