import type { Command } from './command.ts';
import type { OptionDefinition } from './options/definition.ts';
import { COMMON, commanderOption, OPTIONS } from './options/index.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Flag {
  readonly long: string;
  readonly short: string | undefined;
  readonly summary: string;
  /** What follows is its value. */
  readonly takesValue: boolean;
  /** The words that its value is one of; empty: any. */
  readonly words: readonly string[];
}

function flagsOf({ options, optionWords = {} }: Command): readonly Flag[] {
  const definitions: readonly OptionDefinition<unknown>[] = [
    ...options.map((name) => ({
      ...(OPTIONS[name] as OptionDefinition<unknown>),
      ...(optionWords[name] !== undefined && { words: optionWords[name] }),
    })),
    ...Object.values(COMMON),
  ];
  return definitions.map((definition) => {
    const { long, short, description, required } = commanderOption(definition);
    return { long: long!, short, summary: description, takesValue: required, words: definition.words ?? [] };
  });
}

/** A script that completes commands, flags and files in a shell; all words come from the table of options. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands);
  const script = bashScript(commands);
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

/**
 * Flags where a word begins with `-`; behind a flag that takes one of a few words, those; commands in the first place;
 * files (the shell's own) elsewhere.
 */
function bashScript(commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), 'help'].join(' ');
  const cases = commands.map((command) => {
    const words = flagsOf(command).flatMap(({ long, short }) => [
      long,
      ...(short === undefined ? [] : [short]),
    ]);
    const places = command.words === undefined ? '' : ` places='${command.words.join(' ')}'`;
    return `    ${command.name}) flags='${[...words, '--help'].join(' ')}'${places} ;;`;
  });
  return [
    '_shipload() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" flags="" places="" values=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${names} --help --version' -- "$word"))`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...valueCases(commands),
    '  esac',
    '  if [ -n "$values" ]; then',
    '    COMPREPLY=($(compgen -W "$values" -- "$word"))',
    '    return',
    '  fi',
    '  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$places" ]; then',
    '    COMPREPLY=($(compgen -W "$places $flags" -- "$word"))',
    '    return',
    '  fi',
    '  case "$word" in',
    '    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;',
    '  esac',
    '}',
    'complete -o default -F _shipload shipload',
    '',
  ].join('\n');
}

/** Each flag of each command that takes one of a few words. */
function valueCases(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) =>
    flagsOf(command)
      .filter(({ words }) => words.length > 0)
      .map(({ long, words }) => `    '${command.name} ${long}') values='${words.join(' ')}' ;;`),
  );
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c shipload -n __fish_use_subcommand -a ${command.name} -d ${fishText(command.summary)}`,
    ...(command.words ?? []).map(
      (word) =>
        `complete -c shipload -n '__fish_seen_subcommand_from ${command.name}' -a ${word} -d ${fishText(command.name)}`,
    ),
    ...flagsOf(command).map(({ long, short, summary, takesValue, words }) => {
      const condition = `-n '__fish_seen_subcommand_from ${command.name}'`;
      const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
      const among = words.length === 0 ? '' : ` -f -a ${fishText(words.join(' '))}`;
      const value = takesValue ? ` -r${among}` : '';
      return `complete -c shipload ${condition} -l ${long.slice(2)}${letter}${value} -d ${fishText(summary)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

/** In single quotes, where fish knows two escapes. */
const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
