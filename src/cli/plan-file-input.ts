import { dirname, join } from 'node:path';
import { ShiploadError } from '../errors.ts';
import { markSecret } from '../host/secret-values.ts';
import { planFileSchema } from '../plan-file/plan-file-schema.ts';
import { type PlanKey, type PlanSection, readPlanFile } from '../plan-file/read-plan-file.ts';
import { loadSourceAt } from '../session/import-load.ts';
import { readIfThere, readText } from '../session/read-text.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { withGiven } from './given-options.ts';
import { isUrlText } from './input-kind.ts';
import type { OptionDefinition } from './options/definition.ts';
import { OPTION_GROUPS, type OptionName, OPTIONS, type OptionValues } from './options/index.ts';
import type { PlanPlaces } from './plan-places.ts';

/** Looked for where no input is named. */
const USUAL_NAMES = ['shipload.yaml', 'shipload.yml'] as const;

/** Which options stand in which section of a plan file; names and values are those of the flags. */
const SECTIONS: readonly { name: string; description: string; options: readonly OptionName[] }[] = [
  {
    name: 'service',
    description: 'Where the load goes, and how the service is started.',
    options: [
      'url',
      'start',
      'ready',
      'readyTimeout',
      'unixSocket',
      'resolve',
      'cacert',
      'cert',
      'key',
      'insecure',
      'tlsMin',
    ],
  },
  {
    name: 'workload',
    description: "What is sent: an access log, a workload, a scenario, a URL, or another tool's file.",
    options: [...OPTION_GROUPS.log, ...OPTION_GROUPS.content],
  },
  {
    name: 'load',
    description: 'How much of it, and for how long.',
    options: OPTION_GROUPS.load,
  },
  {
    name: 'counters',
    description: 'What is watched while the load is on.',
    options: ['pid', 'port', 'container', 'cores', 'metrics', 'stats'],
  },
  {
    name: 'request',
    description: 'How each request is sent.',
    // `http2` is another way to say `http: 2`.
    options: OPTION_GROUPS.request.filter((name) => name !== 'http2'),
  },
  {
    name: 'judging',
    description: 'How the targets are judged, and what follows.',
    options: OPTION_GROUPS.judging,
  },
  {
    name: 'recording',
    description: 'What is written, and where.',
    options: ['label', 'out', 'samples', 'secret', 'exportTo', 'seed', 'generators', 'pin'],
  },
  {
    name: 'safety',
    description: 'What holds the load back.',
    options: OPTION_GROUPS.safety,
  },
];

/** Options that name a file, which a plan file names from where it lies. */
const FILES: ReadonlySet<string> = new Set(['routes', 'cacert', 'cert', 'key']);

/** The sections of a plan file, from the one table of options. */
export const PLAN_SECTIONS: readonly PlanSection[] = SECTIONS.map(({ name, description, options }) => ({
  name,
  description,
  keys: options.map(planKey),
}));

/** The text of docs/schema/plan-file.json. */
export const planFileText = (): string => `${JSON.stringify(planFileSchema(PLAN_SECTIONS), null, 2)}\n`;

function planKey(option: OptionName): PlanKey {
  const { flags, description, parse, parseEach }: OptionDefinition<unknown> = OPTIONS[option];
  const name = /--(?:no-)?([\w-]+)/.exec(flags)![1]!;
  const kind = parseEach !== undefined ? 'list' : parse !== undefined ? 'text' : 'switch';
  // The flag says what is switched off, the key what is on.
  const about = flags.includes('--no-') ? `false: ${description}` : description;
  return {
    name,
    option,
    description: about,
    kind,
    mayBeTrue: flags.includes('['),
    parse: parseEach ?? parse ?? ((text) => text),
  };
}

/** What a run is made from, and its options. */
export interface RunArguments {
  readonly input: string;
  readonly options: OptionValues;
  /** Names of the options that the command line or the plan file gives. */
  readonly given: ReadonlySet<string>;
  /** The plan file, where there is one. */
  readonly plan?: PlanPlaces;
}

/**
 * The input of a run, with the options of a plan file where it is one; without an input, the plan file that lies in
 * this folder. What the command line gives wins over the file. Throws `usage` where there is neither, and
 * `plan-file-invalid`.
 */
export async function withPlanFile(
  input: string | undefined,
  options: OptionValues,
  given: ReadonlySet<string>,
): Promise<RunArguments> {
  const path = input ?? (await usualPlanFile());
  const isPlan = /\.ya?ml$/i.test(path) && (await loadSourceAt(path)) === undefined;
  if (!isPlan) return { input: path, options, given };
  const plan = readPlanFile(await readText(path), path, PLAN_SECTIONS, takeSecret, parseTarget);
  const folder = dirname(path);
  const ofFile = Object.entries(plan.options).map(([name, value]) => [
    name,
    FILES.has(name)
      ? beside(folder, String(value))
      : name === 'data'
        ? dataBeside(folder, String(value))
        : value,
  ]);
  const merged = withGiven(options, Object.fromEntries(ofFile) as OptionValues, given);
  const workload = plan.workload ?? merged.url?.href;
  if (workload === undefined)
    throw new ShiploadError('plan-file-invalid', 'the plan says neither workload: nor service: url:', {
      where: path,
      hint: 'For example workload: access.log',
    });
  return {
    input: isUrlText(workload) ? workload : beside(folder, workload),
    options: merged,
    given: new Set([...given, ...Object.keys(plan.options)]),
    plan: { path, places: plan.places, targetPlaces: plan.targetPlaces },
  };
}

/** Of a header the value alone is secret. */
function takeSecret(text: string, place: string): string {
  const [, name = '', value] = /^([\w-]+:\s+)?(.*)$/s.exec(text)!;
  return name + markSecret(value!, place);
}

async function usualPlanFile(): Promise<string> {
  for (const name of USUAL_NAMES) if ((await readIfThere(name)) !== undefined) return name;
  throw new ShiploadError('usage', `what should be run? There is no ${USUAL_NAMES[0]} in this folder`, {
    hint: 'shipload init access.log writes one, or name an access log, a workload, a scenario or a URL.',
  });
}

const beside = (folder: string, path: string): string => (path.startsWith('/') ? path : join(folder, path));
const dataBeside = (folder: string, data: string): string =>
  data.startsWith('@') ? `@${beside(folder, data.slice(1))}` : data;
