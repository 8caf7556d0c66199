import { EXIT } from '../../errors.ts';
import { listenForNoise, readMachineFacts } from '../../host/machine-facts.ts';
import { renderMachineCheck } from '../../report/machine-check-text.ts';
import { checkMachine } from '../../session/machine-check.ts';
import { testEngine } from '../../session/self-test.ts';
import type { Command } from '../command.ts';

const NOISE_SECONDS = 1;

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'what load this machine can honestly make: cores, clock, limits, noise, and a short test of the engine',
  options: [],
  example: 'shipload doctor',
  async run(_, options, { terminal }) {
    terminal.say('Listening for noise, then the engine against an echo, about 5 s …');
    const noise = listenForNoise(NOISE_SECONDS);
    const document = checkMachine(readMachineFacts(), noise, await testEngine());
    terminal.print(
      options.json === true
        ? `${JSON.stringify(document, null, 1)}\n`
        : renderMachineCheck(document, terminal),
    );
    return EXIT.done;
  },
};
