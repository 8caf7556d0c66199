import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, ShiploadError } from '../../errors.ts';
import { writeError } from '../../host/write-file.ts';
import { renderModelCheck } from '../../report/model-check-text.ts';
import { renderWorkload } from '../../report/workload-text.ts';
import { modelLogs } from '../../session/open-workload.ts';
import { checkModel } from '../../session/verify-model.ts';
import { renderRoutes } from '../../workload/routes-file.ts';
import type { Command } from '../command.ts';
import { optionCheck } from '../option-check.ts';
import { OPTION_GROUPS } from '../options/index.ts';
import { logOptions } from '../run-request.ts';
import type { Terminal } from '../terminal.ts';

export const model: Command = {
  name: 'model',
  usage: '<log...>',
  summary: 'the workload an access log carries: mix, think time, active users, popularity',
  options: [...OPTION_GROUPS.log, 'verify', 'seed', 'out'],
  example: 'shipload model access.log -o workload.json',
  async run(paths, options, { terminal, given }) {
    optionCheck(given)({ input: 'log', draws: options.verify === true, options });
    if (options.out !== undefined) refuseOverInput(options.out, paths);
    const workload = await modelLogs(paths, logOptions(options));
    const json = `${JSON.stringify(workload, null, 1)}\n`;
    if (options.out !== undefined) {
      await write(options.out, json, terminal);
      // What was given to edit is the user's own: only learned routes are written.
      if (options.routes === undefined)
        await write(routesPath(options.out), renderRoutes(workload), terminal);
    }
    terminal.print(options.json === true ? json : renderWorkload(workload, terminal));
    if (options.verify === true) {
      const check = renderModelCheck(checkModel(workload, options.seed ?? 7), terminal);
      if (options.json === true) terminal.say(check);
      else terminal.print(check);
    }
    return EXIT.done;
  },
};

/** Throws `option-invalid` where what is written would replace what is read. */
function refuseOverInput(out: string, paths: readonly string[]): void {
  const inputs = paths.map((path) => resolve(path));
  const taken = [out, routesPath(out)].find((path) => inputs.includes(resolve(path)));
  if (taken === undefined) return;
  throw new ShiploadError('option-invalid', `${taken} is the log that is read; it would be replaced`, {
    where: '-o',
    hint: 'Write the workload to a file of its own: -o workload.json',
  });
}

/** `workload.json` → `workload.routes`. */
const routesPath = (path: string): string => `${path.replace(/\.json$/, '')}.routes`;

async function write(path: string, text: string, terminal: Terminal): Promise<void> {
  // Targets and examples come out of a log: for the owner's eyes, whoever else uses the machine.
  await writeFile(path, text, { mode: 0o600 }).catch((cause: unknown) => {
    throw writeError(path, cause);
  });
  terminal.say(`Written to ${path}`);
}
