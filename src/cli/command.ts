import type { OptionName, OptionValues } from './options/index.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with besides its arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The command line as typed, for the record. */
  readonly commandLine: readonly string[];
  /** Names of the options that were given on it, apart from those that have their usual value. */
  readonly given: ReadonlySet<string>;
  /** Ends the process at once: for the second Ctrl-C, after what was started has been stopped. */
  readonly exitNow: (code: number) => void;
}

/** One command: its help and its work. A new command is one file and one line in `commands/index.ts`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments in commander's notation: `<log...>`, `<before> <after>`. */
  readonly usage: string;
  /** The words that its first argument is one of, where there are few: offered by completion. */
  readonly words?: readonly string[];
  readonly options: readonly OptionName[];
  readonly example: string;
  /** Words of an option that only this command takes. */
  readonly optionWords?: Readonly<Partial<Record<OptionName, readonly string[]>>>;
  /** Fallbacks that differ from the table's. */
  readonly fallbacks?: OptionValues;
  /** Returns the exit code. */
  run(args: readonly string[], options: OptionValues, context: CommandContext): Promise<number>;
}
