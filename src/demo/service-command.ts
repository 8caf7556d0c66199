import { fileURLToPath } from 'node:url';

/** The command line, for a POSIX shell, that runs a script with this Node and in place of the shell. */
export function serviceCommand(script: URL, words: readonly string[]): string {
  return ['exec', process.execPath, fileURLToPath(script), ...words]
    .map((word, i) => (i === 0 ? word : quote(word)))
    .join(' ');
}

const quote = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
