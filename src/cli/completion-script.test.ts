import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS } from './commands/index.ts';
import { completionScript, SHELLS } from './completion-script.ts';
import { commanderOption, OPTIONS } from './options/index.ts';
import { SHAPE_NAMES } from '../load/shapes/index.ts';

const hasShell = (name: string): boolean => spawnSync(name, ['-c', 'true']).status === 0;

/** What bash offers for the last word of a line. */
function offered(...words: readonly string[]): readonly string[] {
  const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _shipload; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', `${completionScript('bash', COMMANDS)}${ask}`],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

test(
  'bash completes commands, and of each command its own flags',
  { skip: !hasShell('bash') && 'there is no bash' },
  () => {
    assert.deepEqual(offered('shipload', 'ex'), ['explain', 'export']);
    assert.deepEqual(offered('shipload', 'run', 'access.log', '--generat'), ['--generators']);
    assert.deepEqual(offered('shipload', 'explain', '--generat'), []);
    // Files are left to the shell.
    assert.deepEqual(offered('shipload', 'run', 'acc'), []);
    assert.deepEqual(
      offered('shipload', 'run', 'access.log', '--shape', 's').toSorted(),
      SHAPE_NAMES.filter((name) => name.startsWith('s')).toSorted(),
    );
    assert.deepEqual(offered('shipload', 'run', '--http', ''), ['1.1', '2']);
    assert.deepEqual(offered('shipload', 'report', 'runs/a', '--as', 'm'), ['markdown']);
    assert.deepEqual(offered('shipload', 'demo', 'po'), ['pool']);
    assert.deepEqual(offered('shipload', 'completion', ''), [
      ...SHELLS,
      ...offered('shipload', 'completion', '-'),
    ]);
    for (const { name, options } of COMMANDS) {
      const flags = new Set(offered('shipload', name, '-'));
      for (const option of options)
        assert.ok(flags.has(commanderOption(OPTIONS[option]).long!), `${name} ${option}`);
    }
  },
);

for (const shell of SHELLS)
  test(
    `the script for ${shell} is one that ${shell} reads`,
    { skip: !hasShell(shell) && `there is no ${shell}` },
    () => {
      const { status, stderr } = spawnSync(shell, ['-n'], {
        input: completionScript(shell, COMMANDS),
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    },
  );

test('fish is told of every flag with its summary, quotes escaped', () => {
  const lines = completionScript('fish', COMMANDS).split('\n');
  const flags = COMMANDS.reduce((sum, { options, words = [] }) => sum + options.length + words.length + 3, 0);
  assert.equal(lines.filter((line) => line !== '').length, flags);
  for (const line of lines) if (line !== '') assert.match(line, / -d '(?:[^'\\]|\\.)*'$/);
});
