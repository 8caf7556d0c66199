/** Shorter ones are met by chance. */
const SHORTEST_VALUE = 8;
const MOST_VALUES = 100_000;
const MOST_DEPTH = 50;

/**
 * The values that recorded answers held in their JSON, so that a token which a later request carries is taken from
 * the answer that brought it instead of being written down.
 */
export class AnswerValues {
  readonly #places = new Map<string, { readonly index: number; readonly path: string }>();
  readonly #kept = new Map<
    string,
    { readonly name: string; readonly index: number; readonly path: string }
  >();

  /** Takes note of an answer's JSON; of two that hold a value, the later one brought it. */
  answered(index: number, text: string): void {
    if (!/^\s*[[{]/.test(text)) return;
    try {
      this.#walk(JSON.parse(text), '', index, 0);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  /** The name under which a value is kept from an earlier answer; undefined where none held it. */
  keep(value: string): string | undefined {
    const known = this.#kept.get(value);
    if (known !== undefined) return known.name;
    const place = this.#places.get(value);
    if (place === undefined) return undefined;
    const wanted = nameOf(place.path);
    const taken = new Set([...this.#kept.values()].map(({ name }) => name));
    let name = wanted;
    for (let n = 2; taken.has(name); n += 1) name = `${wanted}${n}`;
    this.#kept.set(value, { name, ...place });
    return name;
  }

  /** What of the answer at `index` is kept. */
  keptOf(index: number): readonly { readonly name: string; readonly path: string }[] {
    return [...this.#kept.values()]
      .filter((kept) => kept.index === index)
      .map(({ name, path }) => ({ name, path }));
  }

  #walk(value: unknown, path: string, index: number, depth: number): void {
    if (depth > MOST_DEPTH || this.#places.size > MOST_VALUES) return;
    if (typeof value === 'string') {
      if (value.length >= SHORTEST_VALUE && path !== '') this.#places.set(value, { index, path });
    } else if (Array.isArray(value)) {
      for (const [i, element] of value.entries()) this.#walk(element, `${path}[${i}]`, index, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const step = /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `["${key}"]`;
        if (!key.includes('"')) this.#walk(member, path + step, index, depth + 1);
      }
    }
  }
}

/** `data.access_token` → `accessToken`; words that a program keeps for itself get a sign behind them. */
function nameOf(path: string): string {
  const last = /([\w-]+)[^\w]*$/.exec(path)?.[1] ?? 'value';
  const name = last
    .replaceAll(/[^A-Za-z\d]+(.)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  return /^[a-z]/.test(name) ? `${name}Kept` : 'kept';
}
