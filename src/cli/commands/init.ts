import { randomBytes } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EXIT, ShiploadError } from '../../errors.ts';
import { readPermissions, writePermissions } from '../../host/permissions.ts';
import { originOf } from '../../host/target-guard.ts';
import { PROOF_PATH } from '../../host/well-known-proof.ts';
import type { ImportedLoad } from '../../import/loads/imported-load.ts';
import { scenarioText } from '../../import/loads/scenario-text.ts';
import { basisOfWorkload } from '../../load/load-basis.ts';
import { loadSourceAt, openImport, type OpenImport } from '../../session/import-load.ts';
import { openScenario } from '../../session/open-scenario.ts';
import { openWorkload } from '../../session/open-workload.ts';
import type { Command } from '../command.ts';
import { OPTION_GROUPS, type OptionValues } from '../options/index.ts';
import { type InputKind, inputKindOf } from '../input-kind.ts';
import { optionCheck } from '../option-check.ts';
import { parseUrl } from '../parse-values.ts';
import { planFileFor, type PlanSubject } from '../plan-file-text.ts';
import type { GivenToRun } from '../run-input.ts';
import { isLogFormatAsked, logOptions } from '../run-request.ts';
import type { Terminal } from '../terminal.ts';

export const init: Command = {
  name: 'init',
  usage: '[access.log|scenario.ts|FILE|URL]',
  summary:
    'write a commented plan file to edit, and a scenario where FILE is HAR, OpenAPI, k6 or curl; or, with --own, prove a service yours',
  options: ['own', 'out', ...OPTION_GROUPS.log],
  example: 'shipload init access.log',
  async run([input], options, { terminal, given }) {
    const check = optionCheck(given);
    if (options.own === undefined) return writePlan(input, options, { given, check }, terminal);
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
  { given, check }: GivenToRun,
  terminal: Terminal,
): Promise<number> {
  if (input === undefined)
    throw new ShiploadError('usage', 'what is the plan for?', {
      hint: 'For example: shipload init access.log, shipload init http://127.0.0.1:8080/, or --own URL',
    });
  const path = options.out ?? USUAL_NAME;
  const kind = await inputKindOf(input, isLogFormatAsked(options));
  check({ input: kind, options });
  const { plan, scenario } = await draftFor(input, kind, path, options, given);
  if (scenario !== undefined) await requireAbsent(path);
  if (scenario !== undefined) await writeNew(scenario.path, scenario.text);
  await writeNew(path, planFileFor(plan));
  for (const note of notesOf(plan, scenario?.imported)) terminal.say(`Note: ${note}`);
  const made = scenario === undefined ? '' : `${scenario.path} is written: ${scenario.imported.summary}.\n`;
  terminal.print(
    options.json === true
      ? `${JSON.stringify({ path, ...(scenario !== undefined && { scenario: scenario.path }) }, null, 1)}\n`
      : `${made}${path} is written. Edit its targets and its url, then: shipload run${path === USUAL_NAME ? '' : ` ${path}`}\n`,
  );
  return EXIT.done;
}

/** What the plan leaves out of what it was made from, and what it needs. */
function notesOf(plan: PlanSubject, imported: ImportedLoad | undefined): readonly string[] {
  if (plan.kind === 'log') return basisOfWorkload(plan.workload).notices.map(({ message }) => message);
  const { notes = [], secrets = [] } = imported ?? {};
  const variables = secrets.map(({ variable, place }) => `${variable} (${place})`);
  return variables.length === 0
    ? notes
    : [...notes, `A run takes what is secret from these environment variables: ${variables.join(', ')}.`];
}

async function requireAbsent(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw thereAlready(path);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw thereAlready(path, cause);
    throw new ShiploadError('cannot-write', `cannot write ${path}`, { where: path, cause });
  }
}

const thereAlready = (path: string, cause?: unknown): ShiploadError =>
  new ShiploadError('cannot-write', `${path} is there already`, {
    where: path,
    hint: 'Give another name with -o, or remove the file.',
    cause,
  });

/** What is written: the plan, and a scenario where the input becomes one. */
interface Draft {
  readonly plan: PlanSubject;
  readonly scenario?: { readonly path: string; readonly text: string; readonly imported: ImportedLoad };
}

async function draftFor(
  input: string,
  kind: InputKind,
  planPath: string,
  options: OptionValues,
  given: ReadonlySet<string>,
): Promise<Draft> {
  if (kind === 'url') return { plan: { kind: 'url', url: parseUrl('URL', input) } };
  const path = fromPlan(planPath, input);
  const source = isLogFormatAsked(options) ? undefined : await loadSourceAt(input);
  if (source !== undefined) return draftOfImport(input, path, planPath, await openImport(input, source));
  if (kind !== 'scenario') {
    const workload = await openWorkload(input, logOptions(options));
    const reading = kind === 'log' ? readingOf(options, given, planPath) : {};
    return { plan: { kind: 'log', path, workload, reading } };
  }
  const { compiled } = await openScenario(input);
  return { plan: { kind: 'scenario', path, scenario: compiled.spec } };
}

/** A plan names files from where it lies. */
const fromPlan = (planPath: string, path: string): string =>
  path.startsWith('/') ? path : relative(dirname(planPath), path);

/** What was said about reading the log, so that the plan reads it in the same way. */
function readingOf(
  { format, window, sessionTimeout, routes, keepValues }: OptionValues,
  given: ReadonlySet<string>,
  planPath: string,
): Readonly<Record<string, string | true>> {
  const values = {
    format,
    window,
    sessionTimeout: sessionTimeout === undefined ? undefined : `${sessionTimeout}s`,
    routes: routes === undefined ? undefined : fromPlan(planPath, routes),
    keepValues: keepValues === true ? keepValues : undefined,
  };
  const keys = { sessionTimeout: 'session-timeout', keepValues: 'keep-values' } as const;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, string | true][] =>
      value === undefined || !given.has(name) ? [] : [[keys[name as keyof typeof keys] ?? name, value]],
    ),
  );
}

function draftOfImport(input: string, path: string, planPath: string, imported: OpenImport): Draft {
  if ('requests' in imported) {
    const busiest = imported.requests.toSorted((a, b) => b.shareRatio - a.shareRatio);
    return { plan: { kind: 'mix', path, routes: [...new Set(busiest.map(({ route }) => route))] } };
  }
  const name = `${basename(input).replace(/\.[^.]*$/, '')}.scenario.ts`;
  return {
    plan: { kind: 'scenario', path: name, scenario: imported },
    scenario: {
      path: join(dirname(planPath), name),
      text: scenarioText(imported, basename(input)),
      imported,
    },
  };
}
