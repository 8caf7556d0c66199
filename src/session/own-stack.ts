import { fileURLToPath } from 'node:url';

/** Compiled or, where source maps lead there, as written. */
const LIBRARY_FOLDERS = ['dist/', 'src/'].map((folder) =>
  fileURLToPath(new URL(`../../../${folder}`, import.meta.url)),
);

/** The frames of a stack that lie in a user's own files, trimmed, the nearest first; at most `most`. */
export function ownFrames(stack: string, most: number): readonly string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/\bnode:internal\b|\(<anonymous>\)$/.test(line))
    .filter((line) => !LIBRARY_FOLDERS.some((folder) => line.includes(folder)))
    .slice(0, most)
    .map((line) => line.trim());
}
