import { Option } from 'commander';
import type { Applicability } from './applies.ts';

/** One option: how it is written, shown, read and defaulted. */
export interface OptionDefinition<Value> {
  readonly flags: string;
  readonly group: string;
  readonly description: string;
  /** From the text given to the value. Options without it are switches. */
  readonly parse?: (text: string) => Value;
  /** For options that may be given several times: each occurrence; the value is the list. */
  readonly parseEach?: (text: string) => unknown;
  readonly fallback?: Value;
  /** The value where the option stands without its optional argument. */
  readonly preset?: Value;
  /** Where it has a meaning; missing: in every command that takes it. */
  readonly applies?: Applicability;
  /** The words it takes, where there are few: offered by completion. */
  readonly words?: readonly string[];
  /** The fallback as a reader would write it. */
  readonly fallbackText?: string;
}

export const define = <Value>(definition: OptionDefinition<Value>): OptionDefinition<Value> => definition;
export const defineList = <Element>(
  definition: OptionDefinition<readonly Element[]> & { readonly parseEach: (text: string) => Element },
): OptionDefinition<readonly Element[]> => definition;
export const text = (value: string): string => value;

/** The commander option of a definition. */
export function commanderOption(definition: OptionDefinition<unknown>): Option {
  const option = new Option(definition.flags, definition.description).helpGroup(`${definition.group}:`);
  const { parse, parseEach } = definition;
  if (parseEach !== undefined) {
    option.argParser((value: string, before: readonly unknown[] | undefined) => [
      ...(before ?? []),
      parseEach(value),
    ]);
  } else if (parse !== undefined) {
    option.argParser(parse);
  }
  if (definition.preset !== undefined) option.preset(definition.preset);
  if (definition.fallback !== undefined) option.default(definition.fallback, definition.fallbackText);
  return option;
}
