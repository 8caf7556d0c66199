import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { shellCommands } from './shell-words.ts';

const words = (text: string): readonly (readonly string[])[] =>
  shellCommands(text).commands.map((command) => command.map((word) => word.text));

const CASES: readonly [string, string, readonly string[]][] = [
  ['blanks and tabs part words', 'a  b\tc', ['a', 'b', 'c']],
  ['single quotes hold everything', `a 'b "c" \\d $e'`, ['a', 'b "c" \\d $e']],
  ['a quote within single quotes is put together', `'it'\\''s'`, ["it's"]],
  ['double quotes unescape four signs', String.raw`"a\"b\\c\$d\e"`, [String.raw`a"b\c$d\e`]],
  ['quotes join what they touch', `a'b'"c"d`, ['abcd']],
  ['an empty quote is a word', `a '' b`, ['a', '', 'b']],
  ['a backslash takes the next sign as it is', String.raw`a\ b \'c`, ['a b', "'c"]],
  ['a backslash at the end of a line goes on', 'a \\\n  b', ['a', 'b']],
  ['a line within quotes stays', `'a\nb'`, ['a\nb']],
  ['a comment ends the line', 'a b # c d', ['a', 'b']],
  ['a # within a word is no comment', 'a#b', ['a#b']],
  ['ANSI quotes have the escapes of C', String.raw`$'a\nb\t\'\\\x41'`, ["a\nb\t'\\A"]],
];

for (const [name, text, expected] of CASES)
  test(`shell: ${name}`, () => assert.deepEqual(words(text), [expected]));

test('shell: the same words as bash finds', { skip: !existsSync('/bin/bash') && 'there is no bash' }, () => {
  const extra = [
    String.raw`$'\u00e9\041 \u263a'`,
    String.raw`"a\
b"`,
    `x="y z"'w'`,
    `-H 'A: b' --data-raw $'{"a":"it\\'s"}'`,
  ];
  for (const text of [...CASES.map(([, one]) => one), ...extra]) {
    const found = execFileSync('/bin/bash', ['-c', `printf '%s\\0' ${text}\n`], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8' },
    });
    assert.deepEqual(words(text)[0], found.split('\0').slice(0, -1), text);
  }
});

test('shell: commands end at lines, semicolons and pipes, with the line each word is on', () => {
  assert.deepEqual(words('a b; c | d\n\ne && f'), [['a', 'b'], ['c'], ['d'], ['e'], ['f']]);
  const { commands } = shellCommands("a \\\n 'b\nc' d\ne");
  assert.deepEqual(
    commands.flat().map(({ text, line }) => [text, line]),
    [
      ['a', 1],
      ['b\nc', 2],
      ['d', 3],
      ['e', 4],
    ],
  );
});

test('shell: a quote that is never closed is said with its line, what a shell would fill in too', () => {
  assert.deepEqual(shellCommands("a\nb 'c\nd").fault?.line, 2);
  assert.deepEqual(shellCommands('a "$HOME" \'$x\'\nb $(c)').expansions, [1, 2]);
});
