import type { OptionName, OptionValues } from './options/index.ts';

/** Options of which one takes the place of the others. */
const EXCLUSIVE: readonly (readonly OptionName[])[] = [
  ['users', 'concurrency', 'rate', 'shape'],
  ['step', 'duration'],
  ['start', 'pid', 'port', 'container'],
];

/**
 * Options of a file under those of the command line: what was given there wins, also over its alternatives, and the
 * file wins over what is merely usual.
 */
export function withGiven(
  options: OptionValues,
  ofFile: OptionValues,
  given: ReadonlySet<string>,
): OptionValues {
  const isOverruled = (name: string): boolean =>
    given.has(name) ||
    EXCLUSIVE.some(
      (group) => group.includes(name as OptionName) && group.some((alternative) => given.has(alternative)),
    );
  const kept = Object.entries(ofFile).filter(([name]) => !isOverruled(name));
  return { ...options, ...Object.fromEntries(kept) };
}
