import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../test/support/cli.ts';
import { COMMANDS } from './commands/index.ts';

const COLUMNS = 80;

/** Lines that a reader copies stay whole. */
const isCopied = (line: string): boolean => /^(Usage: | {2}\$ )/.test(line);

test('help fits into a terminal of 80 columns, that of all commands and that of each', async () => {
  const pages = await Promise.all(
    [[], ...COMMANDS.map(({ name }) => [name])].map((command) => runCli([...command, '--help'], '.')),
  );
  for (const { code, stdout } of pages) {
    assert.equal(code, 0);
    const wide = stdout.split('\n').filter((line) => line.length > COLUMNS && !isCopied(line));
    assert.deepEqual(wide, []);
  }
});
