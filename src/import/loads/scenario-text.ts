import type { ScenarioLoad } from '../../scenario/types.ts';
import { countText } from '../../stats/wording.ts';
import {
  type ImportedBody,
  type ImportedGroup,
  type ImportedJourney,
  type ImportedLoad,
  type ImportedRequest,
  type ImportedStep,
  type ImportedText,
  isFixed,
  Leaf,
} from './imported-load.ts';

const HELPERS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'del',
};

/** What a scenario imports its words from. */
const LIBRARY = 'shipload';

/** Where no request could be taken over. */
const STAND_IN = `    // Write here what users do: no request of the file has a URL that is written out.
    main: [get('/')],`;

/**
 * The scenario file of an import, for a person to edit: what was taken over as code, what was not as comments. Text
 * of the import stands in literals only, so that none of it is ever run. `madeUp`: a variable that is not set is its
 * own name in braces, for a dry run.
 */
export function scenarioText(imported: ImportedLoad, file: string, madeUp = false): string {
  const journeys = imported.journeys.length === 0 ? STAND_IN : imported.journeys.map(journeyText).join('\n');
  const assets = assetsText(imported.assets ?? []);
  const spec = [
    ...(imported.headers === undefined ? [] : [`  headers: ${headersText(imported.headers)},`]),
    ...(imported.load === undefined ? [] : [`  load: ${literal(imported.load)},`]),
    ...(imported.targets === undefined || imported.targets.length === 0
      ? []
      : [`  targets: ${literal(imported.targets)},`]),
  ];
  // Said when the file is loaded, not in the middle of a run.
  const variables = imported.secrets.map(
    ({ variable }) =>
      `const ${variable} = env(${literal(variable)}${madeUp ? `, ${literal(`{${variable}}`)}` : ''});\n`,
  );
  const body = `${variables.join('')}${variables.length > 0 ? '\n' : ''}${assets}export default scenario({
${spec.map((line) => `${line}\n`).join('')}  journeys: {
${journeys}
  },
});
`;
  const helpers = [...Object.values(HELPERS), 'env']
    .filter((name) => new RegExp(`(?<![\\w.'"])${name}\\(`).test(body))
    .concat('scenario');
  return `import { ${helpers.sort().join(', ')} } from ${literal(LIBRARY)};\n\n${headText(imported, file)}\n${body}`;
}

function headText({ summary, notes, secrets }: ImportedLoad, file: string): string {
  const lines = [
    `Made from ${file}: ${summary}.`,
    ...secrets.map(
      ({ variable, place }) => `The environment variable ${variable} stands for a value (${place}).`,
    ),
    ...notes,
  ];
  return lines.map((line) => `// ${oneLine(line)}`).join('\n');
}

/** A comment ends with its line, and these end a line too. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029\0]+/g, ' ').slice(0, 400);

function assetsText(assets: readonly ImportedRequest[]): string {
  if (assets.length === 0) return '';
  const about = `/** ${countText(assets.length, 'static file')}: a cache serves them as a rule. To load them as well: journeys: { assets, … } */\n`;
  return `${about}export const assets = [\n${assets.map((asset) => `  ${plainText(asset)},\n`).join('')}];\n\n`;
}

function journeyText(journey: ImportedJourney): string {
  const { name, weight, groups } = journey;
  const plain = plainRequests(journey);
  if (plain !== undefined) {
    const list = plain.map((request) => `      ${plainText(request)},\n`).join('');
    const share = weight === undefined ? '' : ` weight: ${weight},`;
    return plain.length === 1
      ? `    ${keyText(name)}: {${share} requests: [${plainText(plain[0]!)}] },`
      : `    ${keyText(name)}: {${share} requests: [\n${list}    ] },`;
  }
  const indent = weight === undefined ? '      ' : '        ';
  const kept = groups.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'request' ? (step.request.keeps ?? []) : [])),
  );
  const held = [...new Set(kept.map((one) => one.name))].map((one) => `${indent}let ${one}: string;\n`);
  const text = groups.map((group) => groupText(group, indent)).join('');
  const body = `async (user) => {\n${held.join('')}${text}${indent.slice(2)}}`;
  const definition =
    weight === undefined ? `${body},` : `{\n      weight: ${weight},\n      run: ${body},\n    },`;
  return `    ${keyText(name)}: ${definition}`;
}

/** The requests of a journey that sends the same every time and needs nothing of its answers. */
function plainRequests({ groups, keepsCookies }: ImportedJourney): readonly ImportedRequest[] | undefined {
  if (keepsCookies === true || groups.some(({ name }) => name !== undefined)) return undefined;
  const steps = groups.flatMap((group) => group.steps);
  const requests = steps.flatMap((step) => (step.kind === 'request' ? [step.request] : []));
  if (requests.length < steps.length || requests.length === 0) return undefined;
  return requests.every(isPlain) ? requests : undefined;
}

const isPlain = ({ target, headers, body, status, keeps }: ImportedRequest): boolean =>
  status === undefined &&
  keeps === undefined &&
  body?.kind !== 'multipart' &&
  [target, ...Object.values(headers), ...(body?.kind === 'text' ? [body.text] : [])].every(isPlainText);

const isPlainText = (text: ImportedText): boolean =>
  isFixed(text) || text.every((part) => typeof part === 'string' || 'variable' in part);

function groupText({ name, steps }: ImportedGroup, indent: string): string {
  const inner = name === undefined ? indent : `${indent}  `;
  const lines = steps.map((step) => `${inner}${stepText(step)}\n`).join('');
  if (name === undefined) return lines;
  return `${indent}await user.group(${literal(name)}, async () => {\n${lines}${indent}});\n`;
}

function stepText(step: ImportedStep): string {
  if (step.kind === 'pause') return `await user.pause(${literal(step.time)});`;
  const { request } = step;
  const call = callText(request);
  const keeps = request.keeps ?? [];
  if (keeps.length === 0) return `await ${call};`;
  if (keeps.length === 1)
    return `${keeps[0]!.name} = String((await ${call}).json(${literal(keeps[0]!.path)}));`;
  const each = keeps.map(({ name, path }) => `${name} = String(answer.json(${literal(path)}));`);
  return `{ const answer = await ${call}; ${each.join(' ')} }`;
}

function callText(request: ImportedRequest): string {
  const { method, target } = request;
  const options = optionsText(request);
  const given = `${textLiteral(target)}${options === '' ? '' : `, ${options}`}`;
  return method === 'OPTIONS'
    ? `user.request('OPTIONS', ${given})`
    : `user.${method.toLowerCase()}(${given})`;
}

function plainText(request: ImportedRequest): string {
  const { method, target } = request;
  const options = optionsText(request);
  const helper = HELPERS[method];
  if (helper !== undefined) return `${helper}(${textLiteral(target)}${options === '' ? '' : `, ${options}`})`;
  const rest = options === '' ? '' : `, ...${options}`;
  return `{ method: ${literal(method)}, target: ${textLiteral(target)}${rest} }`;
}

function optionsText({ name, headers, body, status }: ImportedRequest): string {
  const options = [
    ...(name === undefined ? [] : [`name: ${literal(name)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${headersText(headers)}`]),
    ...(body === undefined ? [] : [bodyText(body)]),
    ...(status === undefined ? [] : [`check: { status: ${status} }`]),
  ];
  return options.length === 0 ? '' : `{ ${options.join(', ')} }`;
}

function bodyText(body: ImportedBody): string {
  if (body.kind === 'text') return `body: ${textLiteral(body.text)}`;
  if (body.kind === 'json') return `json: ${literal(body.value)}`;
  const parts = body.parts.map((part) => {
    if ('value' in part) return `${keyText(part.name)}: ${textLiteral(part.value)}`;
    const { filename, content, type } = part;
    return `${keyText(part.name)}: ${literal({ filename, content, ...(type !== undefined && { type }) })}`;
  });
  return `multipart: { ${parts.join(', ')} }`;
}

const headersText = (headers: Readonly<Record<string, ImportedText>>): string =>
  `{ ${Object.entries(headers)
    .map(([name, value]) => `${keyText(name)}: ${textLiteral(value)}`)
    .join(', ')} }`;

/** A key of an object literal; `__proto__` written plainly would set the prototype. */
function keyText(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** An expression whose value is the text. */
function textLiteral(text: ImportedText): string {
  if (isFixed(text)) return literal(text);
  const terms = text.map((part): string => {
    if (typeof part === 'string') return literal(part);
    if ('oneOf' in part) return `user.pick(${literal(part.oneOf)})`;
    const value = 'variable' in part ? part.variable : part.kept;
    return part.encoded === true ? `encodeURIComponent(${value})` : value;
  });
  return terms.length === 1 ? terms[0]! : terms.join(' + ');
}

/** A literal of plain data in TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (value instanceof Leaf)
    return value.isNumber ? `Number(${textLiteral(value.text)})` : textLiteral(value.text);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as ScenarioLoad).map(
      ([key, member]) => `${keyText(key)}: ${literal(member)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return String(value);
}

/** In single quotes, as people write them, where the text has none that need a backslash. */
function stringLiteral(text: string): string {
  const quoted = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return /['\\]/.test(quoted) ? quoted : `'${quoted.slice(1, -1)}'`;
}
