import { writeFile } from 'node:fs/promises';
import { EXIT } from '../../errors.ts';
import { writeError } from '../../host/run-folder.ts';
import { modelLog } from '../../pipeline.ts';
import { renderWorkload } from '../../report/workload-text.ts';
import { openLogs } from '../../session/read-text.ts';
import type { Command } from '../command.ts';
import { OPTION_GROUPS } from '../options.ts';
import { logOptions } from '../run-request.ts';

export const model: Command = {
  name: 'model',
  usage: '<log...>',
  summary: 'the workload an access log carries: mix, think time, active users, popularity',
  options: [...OPTION_GROUPS.log, 'out'],
  example: 'shipload model access.log -o workload.json',
  async run(paths, options, { terminal }) {
    const workload = await modelLog(await openLogs(paths), logOptions(options));
    const json = `${JSON.stringify(workload, null, 1)}\n`;
    if (options.out !== undefined) {
      await writeFile(options.out, json).catch((cause: unknown) => {
        throw writeError(options.out!, cause);
      });
      terminal.say(`Written to ${options.out}`);
    }
    terminal.print(options.json === true ? json : renderWorkload(workload, terminal));
    return EXIT.done;
  },
};
