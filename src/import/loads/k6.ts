import { countText } from '../../stats/wording.ts';
import { routeName } from '../../scenario/route-name.ts';
import { type ImportedJourney, type ImportedLoad, type ImportedRequest } from './imported-load.ts';
import { isRecord } from '../../stats/is-record.ts';
import { K6Journey } from './k6-journey.ts';
import { loadOf } from './k6-load.ts';
import { COMPUTED, Literals } from './k6-literals.ts';
import { K6Requests } from './k6-requests.ts';
import { lineOf, readScript, type Script, type ScriptFunction } from './k6-script.ts';
import { targetsOf } from './k6-thresholds.ts';
import { Secrets } from './secrets.ts';

/**
 * A k6 script, which is read and never run: its `options` become load and targets, calls of `k6/http` with a URL that
 * is written out become requests. All else is listed with its line. Throws `import-invalid` for what is no JavaScript.
 */
export function importK6(text: string, file: string): ImportedLoad {
  const script = readScript(text, file);
  const literals = new Literals(script);
  const secrets = new Secrets();
  const notes: string[] = [];
  const options = optionsOf(script, literals, notes);
  const { load, weights } = loadOf(options, notes);
  const requests = new K6Requests(literals, secrets, notes);
  const journeys = functionsOf(script, weights, notes).flatMap(({ run, weight }): ImportedJourney[] => {
    const groups = new K6Journey(script, literals, requests, notes).groupsOf(run);
    const sends = groups.some(({ steps }) => steps.some(({ kind }) => kind === 'request'));
    if (!sends) notes.push(`The function ${run.name} sends nothing with a URL that is written out.`);
    return sends ? [{ name: run.name, ...(weight !== 1 && { weight }), groups, keepsCookies: true }] : [];
  });
  const sent = journeys
    .flatMap(({ groups }) => groups.flatMap(({ steps }) => steps))
    .flatMap((step) => (step.kind === 'request' ? [step.request] : []));
  const routes = new Set(sent.map(routeOf));
  const targets = targetsOf(options['thresholds'], routes, notes);
  for (const name of ['setup', 'teardown', 'handleSummary'])
    if (script.functions.has(name)) notes.push(`The function ${name} is code and left out.`);
  for (const name of literals.environment) notes.push(`__ENV.${name} is taken as unset.`);
  if (sent.length > 0)
    notes.push(
      'k6 follows redirects; here a redirect is an answer, and what it leads to is sent where the script says so.',
    );
  return {
    source: 'k6',
    summary: `a k6 script: ${countText(sent.length, 'request')}${requests.host === undefined ? '' : ` to ${requests.host}`}, ${load === undefined ? 'no load' : 'its load'}, ${countText(targets.length, 'target')}`,
    journeys,
    ...(load !== undefined && { load }),
    targets,
    secrets: secrets.list,
    notes: [...new Set(notes)],
  };
}

/** The route that a request is counted under. */
const routeOf = ({ name, target }: ImportedRequest): string =>
  name ??
  routeName(
    typeof target === 'string'
      ? target
      : target.map((part) => (typeof part === 'string' ? part : '')).join(''),
  );

function optionsOf(script: Script, literals: Literals, notes: string[]): Readonly<Record<string, unknown>> {
  if (script.options === undefined) return {};
  const value = literals.valueOf(script.options, (path, node) =>
    notes.push(`line ${lineOf(node)}: options.${path} is computed: left out.`),
  );
  if (isRecord(value)) return value;
  if (value === COMPUTED) notes.push(`line ${lineOf(script.options)}: options is computed: left out.`);
  return {};
}

/** What users run: the functions that scenarios name, else the default one. */
function functionsOf(
  { functions, main }: Script,
  weights: ReadonlyMap<string, number>,
  notes: string[],
): readonly { readonly run: ScriptFunction; readonly weight: number }[] {
  const wanted = weights.size === 0 ? [['default', 1] as const] : [...weights];
  const isOnly = wanted.length === 1;
  return wanted.flatMap(([name, weight]) => {
    const run = name === 'default' ? main : functions.get(name);
    if (run === undefined) notes.push(`The script has no function ${name}.`);
    return run === undefined ? [] : [{ run, weight: isOnly ? 1 : weight }];
  });
}
