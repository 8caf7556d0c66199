import { ScenarioFault, ShiploadError } from '../errors.ts';

/** Stands where a secret stood. */
export const REDACTED = '(redacted)';

/** Shorter ones are part of too many ordinary words and figures to be hidden. */
const FEWEST_CHARACTERS = 4;
const TOO_SHORT = `a secret of fewer than ${FEWEST_CHARACTERS} characters cannot be told from other text`;
/** The last ones marked: a scenario may mark one for each user. */
const MOST_VALUES = 1000;

const values = new Set<string>();
let pattern: RegExp | undefined;
let listener: ((value: string) => void) | undefined;

/**
 * From now on this process shows and stores the value nowhere: as it is, percent-encoded, or escaped in JSON. Answers
 * false, and does nothing, for one that is too short to be hidden.
 */
function mark(value: string): boolean {
  if (value.length < FEWEST_CHARACTERS) return false;
  values.delete(value);
  values.add(value);
  listener?.(value);
  if (values.size > MOST_VALUES) values.delete(values.values().next().value!);
  pattern = undefined;
  return true;
}

/**
 * Marks a value of a command line or plan file; `${NAME}` in it is that environment variable, which is marked as well.
 * Answers what it is. Throws `option-invalid` for a variable that is not set, or a value that is too short.
 */
export function markSecret(text: string, where: string): string {
  const refuse = (what: string): ShiploadError =>
    new ShiploadError('option-invalid', `${where}: ${what}`, { where });
  const check = (value: string): void => {
    if (!mark(value)) throw refuse(TOO_SHORT);
  };
  const value = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = process.env[name];
    if (found === undefined) throw refuse(`the environment variable ${name} is not set`);
    check(found);
    return found;
  });
  check(value);
  return value;
}

/** For scenarios: the value, shown and stored nowhere from now on. Throws `scenario-invalid` for one too short to be hidden. */
export function secret(value: string): string {
  if (mark(value)) return value;
  throw new ScenarioFault(TOO_SHORT);
}

/** Is told of every value that is marked from now on: a thread has its own, and the process is to know them too. */
export function onSecret(tell: (value: string) => void): void {
  listener = tell;
}

/** The text without marked values. */
export function hideSecrets(text: string): string {
  if (values.size === 0) return text;
  pattern ??= patternOf(values);
  return text.replace(pattern, REDACTED);
}

/** The same data without marked values, also in its keys. */
export function hideSecretsIn<Data>(data: Data): Data {
  if (values.size === 0) return data;
  if (typeof data === 'string') return hideSecrets(data) as Data;
  if (Array.isArray(data)) return data.map(hideSecretsIn) as Data;
  if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [hideSecrets(key), hideSecretsIn<unknown>(value)]),
  ) as Data;
}

/** Longer ones first: a secret that holds another one goes whole. */
function patternOf(secrets: ReadonlySet<string>): RegExp {
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  return new RegExp(spellings.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

function spellingsOf(value: string): readonly string[] {
  const encoded = encodeURIComponent(value.replace(/\p{Cs}/gu, ''));
  return [value, JSON.stringify(value).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}
