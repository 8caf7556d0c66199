import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { COMMON, OPTIONS, type OptionName } from '../src/cli/options/index.ts';
import { RESULT_FORMATS } from '../src/import/results/index.ts';
import { ROOT } from './support/paths.ts';

/** Every page that a reader of the repository opens. */
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The anchor that a heading gets: lower case, words joined by hyphens, punctuation gone. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map((match) => anchorOf(match[1]!));

test('no page holds what a merge left behind', () => {
  const left = pages.filter((page) => /^(?:<{7}|={7}$|>{7}|\| ={7} )/m.test(textOf(page)));
  assert.deepEqual(left, []);
});

test('every link within the docs leads to a file, and to a heading where it names one', () => {
  const broken = pages.flatMap((page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
    return links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#');
        const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path!));
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      })
      .map((link) => `${page}: ${link}`);
  });
  assert.deepEqual(broken, []);
});

/** Command lines of `shipload` in code: fences and inline, continued lines joined. */
function commandLines(page: string): readonly string[] {
  const text = textOf(page).replaceAll(/\\\n\s*/g, ' ');
  const fenced = [...text.matchAll(/```(?:sh|shell|bash|yaml|console)\n([\s\S]*?)```/g)].flatMap((match) =>
    match[1]!.split('\n'),
  );
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  return [...fenced, ...inline]
    .map((line) => line.replace(/^\s*(?:\$|- run:|run:)?\s*(?:npx )?/, '').replace(/\s#.*$/, ''))
    .filter((line) => /^shipload\s+\S/.test(line));
}

/** Words as a shell would split them; quotes hold words together. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map((match) => match[0].replaceAll(/^['"]|['"]$/g, ''));

/** `--users` and `-c` of an option's flags. */
const flagsOf = (name: OptionName | keyof typeof COMMON): readonly string[] => {
  const { flags } = { ...OPTIONS, ...COMMON }[name];
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
};

const COMMON_FLAGS = [
  ...Object.keys(COMMON).flatMap((name) => flagsOf(name as keyof typeof COMMON)),
  '--help',
];

/** What is wrong with a command line of the docs; undefined when the command and its options exist. */
function faultOf(line: string): string | undefined {
  const [, name, ...words] = wordsOf(line);
  if (name === '--version' || name === '--help') return undefined;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) return `there is no command ${name}`;
  const known = [...COMMON_FLAGS, ...command.options.flatMap(flagsOf)];
  const unknown = words
    .filter((word) => /^--?[a-z]/i.test(word))
    .map((word) => word.split('=')[0]!)
    .find((flag) => !known.includes(flag));
  return unknown === undefined ? undefined : `${name} has no option ${unknown}`;
}

test('every shipload command in the docs names a command and options that exist', () => {
  const lines = pages.flatMap((page) => commandLines(page).map((line) => ({ page, line })));
  assert.ok(lines.length > 20, `only ${lines.length} command lines were found`);
  const wrong = lines.flatMap(({ page, line }) => {
    const fault = faultOf(line);
    return fault === undefined ? [] : [`${page}: ${line}: ${fault}`];
  });
  assert.deepEqual(wrong, []);
});

test('every npm script in the docs exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
  const wrong = pages.flatMap((page) =>
    [...textOf(page).matchAll(/npm run ([\w:-]+)/g)]
      .map((match) => match[1]!)
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `${page}: npm run ${name}`),
  );
  assert.deepEqual(wrong, []);
});

test('every command is in the README’s table', () => {
  const readme = textOf('README.md');
  const missing = COMMANDS.filter(({ name }) => !readme.includes(`\`shipload ${name}`)).map(
    ({ name }) => name,
  );
  assert.deepEqual(missing, []);
});

test('docs/imports.md lists every format that results are read in, and what the tool is called', () => {
  const rows = textOf(join('docs', 'imports.md'))
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const listed = rows.flatMap((row) => {
    const [, tool, format] = row.split('|').map((cell) => cell.trim());
    const name = /^`([\w-]+)`$/.exec(format ?? '')?.[1];
    return name === undefined || name === 'table' || name === '--format' ? [] : [`${name}: ${tool}`];
  });
  assert.deepEqual(listed.sort(), RESULT_FORMATS.map(({ name, tool }) => `${name}: ${tool}`).sort());
});
