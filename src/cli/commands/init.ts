import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { EXIT, ShiploadError } from '../../errors.ts';
import { readPermissions, writePermissions } from '../../host/permissions.ts';
import { originOf } from '../../host/target-guard.ts';
import { PROOF_PATH } from '../../host/well-known-proof.ts';
import { modelLogs } from '../../session/open-workload.ts';
import type { Command } from '../command.ts';
import { OPTION_GROUPS, type OptionValues } from '../options/index.ts';
import { type InputKind, inputKindOf } from '../input-kind.ts';
import { type OptionCheck, optionCheck } from '../option-check.ts';
import { parseUrl } from '../parse-values.ts';
import { planFileFor, type PlanSubject } from '../plan-file-text.ts';
import { logOptions } from '../run-request.ts';
import type { Terminal } from '../terminal.ts';

export const init: Command = {
  name: 'init',
  usage: '[access.log|scenario.ts|URL]',
  summary: 'write a commented plan file to edit; or, with --own, prove a service on another machine yours',
  options: ['own', 'out', ...OPTION_GROUPS.log],
  example: 'shipload init access.log',
  async run([input], options, { terminal, given }) {
    const check = optionCheck(given);
    if (options.own === undefined) return writePlan(input, options, check, terminal);
    if (input !== undefined)
      throw new ShiploadError('usage', `--own proves a service yours, and takes no "${input}"`, {
        hint: 'Run it twice: shipload init --own URL, and shipload init access.log',
      });
    check({ input: 'nothing', writes: false, options });
    const origin = originOf(options.own);
    const permissions = await readPermissions();
    const known = permissions.owned.find((entry) => entry.origin === origin);
    const token = known?.token ?? `shipload-${randomBytes(24).toString('hex')}`;
    if (known === undefined)
      await writePermissions({ ...permissions, owned: [...permissions.owned, { origin, token }] });
    terminal.print(
      options.json === true
        ? `${JSON.stringify({ origin, path: PROOF_PATH, token }, null, 1)}\n`
        : `Let ${origin}${PROOF_PATH} answer 200 with this line (others may stand beside it):\n\n  ${token}\n\n` +
            `Every run on ${origin} asks for the file first; load goes there while it is there.`,
    );
    return EXIT.done;
  },
};

const USUAL_NAME = 'shipload.yaml';

/** Never over a file that is there: somebody has edited it. */
async function writePlan(
  input: string | undefined,
  options: OptionValues,
  check: OptionCheck,
  terminal: Terminal,
): Promise<number> {
  if (input === undefined)
    throw new ShiploadError('usage', 'what is the plan for?', {
      hint: 'For example: shipload init access.log, shipload init http://127.0.0.1:8080/, or --own URL',
    });
  const path = options.out ?? USUAL_NAME;
  const kind = await inputKindOf(input);
  check({ input: kind, options });
  const text = planFileFor(await subjectOf(input, kind, path, options));
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new ShiploadError('cannot-write', isThere ? `${path} is there already` : `cannot write ${path}`, {
      where: path,
      ...(isThere && { hint: 'Give another name with -o, or remove the file.' }),
      cause,
    });
  }
  terminal.print(
    options.json === true
      ? `${JSON.stringify({ path }, null, 1)}\n`
      : `${path} is written. Edit its targets and its url, then: shipload run${path === USUAL_NAME ? '' : ` ${path}`}\n`,
  );
  return EXIT.done;
}

async function subjectOf(
  input: string,
  kind: InputKind,
  planPath: string,
  options: OptionValues,
): Promise<PlanSubject> {
  if (kind === 'url') return { kind: 'url', url: parseUrl('URL', input) };
  // The plan names files from where it lies.
  const path = input.startsWith('/') ? input : relative(dirname(planPath), input);
  if (kind === 'scenario') return { kind: 'scenario', path };
  return { kind: 'log', path, workload: await modelLogs([input], logOptions(options)) };
}
