import { EXIT, ShiploadError } from '../../errors.ts';
import { didYouMean } from '../../stats/did-you-mean.ts';
import type { Command } from '../command.ts';
import { completionScript, SHELLS } from '../completion-script.ts';

/** The command that completes the others; `commands` is asked for when it runs, as it is one of them. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  usage: '<bash|zsh|fish>',
  words: SHELLS,
  summary: 'a script that completes commands, flags and files in a shell',
  options: [],
  example: 'eval "$(shipload completion bash)"',
  async run([name], options, { terminal }) {
    const shell = SHELLS.find((known) => known === name);
    if (shell === undefined)
      throw new ShiploadError(
        'option-invalid',
        `there is no shell "${name}" here${didYouMean(name!, SHELLS)}`,
        {
          where: 'completion',
          hint: `Shells: ${SHELLS.join(', ')}`,
        },
      );
    const script = completionScript(shell, commands());
    terminal.print(
      options.json === true ? `${JSON.stringify({ kind: 'completion', shell, script }, null, 1)}\n` : script,
    );
    return EXIT.done;
  },
});
