import { stat } from 'node:fs/promises';
import { startDashboard } from '../../dashboard/server.ts';
import { EXIT, ShiploadError } from '../../errors.ts';
import type { Command } from '../command.ts';
import { listenForInterrupts } from '../interrupts.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[folder]',
  summary: 'the runs of a folder (runs/) in a browser: reports, comparisons, and what runs now',
  options: ['listen'],
  example: 'shipload serve runs/',
  async run([folder = 'runs'], options, { terminal }) {
    const isFolder = await stat(folder).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      throw new ShiploadError('file-not-found', `there is no folder ${folder}`, {
        where: folder,
        hint: 'Give the folder that holds the runs, or make one: shipload demo',
      });
    }
    const dashboard = await startDashboard(folder, options.listen ?? 7411);
    terminal.print(dashboard.url);
    terminal.say('Only this machine can open it, with the token in it. Ctrl-C ends it.');
    await new Promise<void>((resolve) => {
      const interrupts = listenForInterrupts(resolve, resolve);
      interrupts.signal.addEventListener('abort', () => interrupts.release());
    });
    await dashboard.close();
    return EXIT.done;
  },
};
