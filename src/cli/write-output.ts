import { writeFile } from 'node:fs/promises';
import { writeError } from '../host/write-file.ts';
import type { Terminal } from './terminal.ts';

/** Writes to the file of `-o` where one was given, else prints. Throws `cannot-write`. */
export async function writeOutput(text: string, path: string | undefined, terminal: Terminal): Promise<void> {
  if (path === undefined) {
    terminal.print(text);
    return;
  }
  await writeFile(path, text).catch((cause: unknown) => {
    throw writeError(path, cause);
  });
  terminal.say(`Written to ${path}`);
}
