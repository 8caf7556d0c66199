import type { Command } from './command.ts';
import { COMMON, commanderOption, OPTIONS } from './options/index.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Flag {
  readonly long: string;
  readonly short: string | undefined;
  readonly summary: string;
  /** What follows is its value. */
  readonly takesValue: boolean;
}

function flagsOf({ options }: Command): readonly Flag[] {
  const definitions = [...options.map((name) => OPTIONS[name]), ...Object.values(COMMON)];
  return definitions.map((definition) => {
    const { long, short, description, required } = commanderOption(definition);
    return { long: long!, short, summary: description, takesValue: required };
  });
}

/** A script that completes commands, flags and files in a shell; all words come from the table of options. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands);
  const script = bashScript(commands);
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

/** Flags where a word begins with `-`; commands in the first place; files (the shell's own) elsewhere. */
function bashScript(commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), 'help'].join(' ');
  const cases = commands.map((command) => {
    const words = flagsOf(command).flatMap(({ long, short }) => [
      long,
      ...(short === undefined ? [] : [short]),
    ]);
    return `    ${command.name}) flags='${[...words, '--help'].join(' ')}' ;;`;
  });
  return [
    '_shipload() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" flags=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${names} --help --version' -- "$word"))`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  case "$word" in',
    '    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;',
    '  esac',
    '}',
    'complete -o default -F _shipload shipload',
    '',
  ].join('\n');
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c shipload -n __fish_use_subcommand -a ${command.name} -d ${fishText(command.summary)}`,
    ...flagsOf(command).map(({ long, short, summary, takesValue }) => {
      const condition = `-n '__fish_seen_subcommand_from ${command.name}'`;
      const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
      const value = takesValue ? ' -r' : '';
      return `complete -c shipload ${condition} -l ${long.slice(2)}${letter}${value} -d ${fishText(summary)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

/** In single quotes, where fish knows two escapes. */
const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
