import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { ShiploadError } from '../errors.ts';
import { didYouMean } from '../stats/did-you-mean.ts';

/** One key of a plan file: an option of the command line by its long name. */
export interface PlanKey {
  readonly name: string;
  /** The option's name in the table. */
  readonly option: string;
  readonly description: string;
  /** `text`: one value, a list standing for one separated by commas; `list`: each element a value; `switch`: true or false. */
  readonly kind: 'text' | 'list' | 'switch';
  /** Whether `true` stands for the option without its value. */
  readonly mayBeTrue: boolean;
  /** Of one value. Throws `option-invalid`. */
  readonly parse: (text: string) => unknown;
}

/** A part of the file. */
export interface PlanSection {
  readonly name: string;
  readonly description: string;
  readonly keys: readonly PlanKey[];
}

/** What a plan file says: options by name, and what the run is made from. */
export interface PlanFile {
  readonly options: Readonly<Record<string, unknown>>;
  /** An access log, a workload, a scenario, a URL, or another tool's file. */
  readonly workload?: string;
  /** `file:line:column` of each option's key. */
  readonly places: Readonly<Record<string, string>>;
  /** The same of each target, by its text. */
  readonly targetPlaces: Readonly<Record<string, string>>;
}

/** What a value with the tag `!secret` is: it is told here before anything is made of it. Throws `option-invalid`. */
export type TakeSecret = (text: string, place: string) => string;

/** The key of `workload:` that names it, where the section has options besides. */
export const WORKLOAD_SOURCE = 'from';
/** Marks a value that is to be shown and stored nowhere. */
const SECRET_TAG = '!secret';
/** What people write instead. */
const SOURCE_WORDS = /^(?:url|file|path|log|source|input|scenario)$/i;

/**
 * Reads a plan file (YAML 1.2). Throws `plan-file-invalid` with file, line and column for what is no YAML, keys that
 * are not known (with the one that may be meant), values that an option refuses,
 * and targets that `requireTarget` throws for.
 */
export function readPlanFile(
  text: string,
  path: string,
  sections: readonly PlanSection[],
  takeSecret: TakeSecret,
  requireTarget: (text: string) => void = () => {},
): PlanFile {
  return new PlanReader(text, path, sections, takeSecret, requireTarget).read();
}

class PlanReader {
  readonly #lines = new LineCounter();
  readonly #text: string;
  readonly #path: string;
  readonly #sections: readonly PlanSection[];
  readonly #options: Record<string, unknown> = {};
  readonly #places: Record<string, string> = {};
  readonly #targetPlaces: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #takeSecret: TakeSecret;
  readonly #requireTarget: (text: string) => void;

  constructor(
    text: string,
    path: string,
    sections: readonly PlanSection[],
    takeSecret: TakeSecret,
    requireTarget: (text: string) => void,
  ) {
    this.#takeSecret = takeSecret;
    this.#text = text;
    this.#path = path;
    this.#sections = sections;
    this.#requireTarget = requireTarget;
  }

  read(): PlanFile {
    const document = parseDocument(this.#text, { lineCounter: this.#lines, prettyErrors: false });
    const [fault] = document.errors;
    if (fault !== undefined) throw this.#refuse(fault.message, fault.pos[0]);
    const root = document.contents;
    if (!isMap(root)) throw this.#refuse('a plan file is a list of sections such as service: and load:', 0);
    const names = ['targets', ...this.#sections.map(({ name }) => name)];
    let workload: string | undefined;
    for (const { key, value } of this.#entries(root, '')) {
      const section = this.#sections.find(({ name }) => name === key.text);
      if (key.text === 'targets') this.#readTargets(value, key.at);
      else if (section === undefined)
        throw this.#refuse(`there is no section "${key.text}"${didYouMean(key.text, names)}`, key.at);
      else if (key.text === 'workload') workload = this.#readWorkload(section, value, key.at);
      else this.#readSection(section, value, key.at);
    }
    const places = this.#places;
    const targetPlaces = this.#targetPlaces;
    return { options: this.#options, places, targetPlaces, ...(workload !== undefined && { workload }) };
  }

  #readTargets(value: Node | null, at: number): void {
    const texts: string[] = [];
    for (const node of isSeq(value) ? (value.items as (Node | null)[]) : [value]) {
      const text = this.#scalar(node, 'targets', at);
      const targetAt = node?.range?.[0] ?? at;
      try {
        this.#requireTarget(text);
      } catch (error) {
        if (!(error instanceof ShiploadError)) throw error;
        throw this.#refuse(error.message, targetAt, error.hint);
      }
      texts.push(text);
      this.#targetPlaces[text.trim()] = this.#placeOf(targetAt);
    }
    this.#options['target'] = texts;
  }

  #readWorkload(section: PlanSection, value: Node | null, at: number): string | undefined {
    if (isScalar(value) && typeof value.value === 'string') return value.value;
    let source: string | undefined;
    this.#readSection(section, value, at, (name, node, keyAt) => {
      if (name !== WORKLOAD_SOURCE) return false;
      source = this.#scalar(node, `workload.${name}`, keyAt);
      return true;
    });
    return source;
  }

  #readSection(
    section: PlanSection,
    value: Node | null,
    at: number,
    takes?: (name: string, node: Node | null, at: number) => boolean,
  ): void {
    if (isScalar(value) && value.value === null) return;
    if (value === null) return;
    if (!isMap(value)) throw this.#refuse(`${section.name} holds keys with values`, at);
    for (const { key, value: node } of this.#entries(value, section.name)) {
      if (takes?.(key.text, node, key.at) === true) continue;
      const known = section.keys.find(({ name }) => name === key.text);
      if (known !== undefined) {
        this.#options[known.option] = this.#valueOf(known, node, section.name, key.at);
        this.#places[known.option] = this.#placeOf(key.at);
      } else
        throw this.#refuse(
          `${section.name} has no key "${key.text}"${this.#meant(section, key.text)}`,
          key.at,
        );
    }
  }

  /** A key that another section has is more likely misplaced than misspelt. */
  #meant(section: PlanSection, name: string): string {
    if (section.name === 'workload' && SOURCE_WORDS.test(name)) return `; did you mean "${WORKLOAD_SOURCE}"?`;
    const other = this.#sections.find(({ keys }) => keys.some((key) => key.name === name));
    if (other !== undefined) return `; it belongs under ${other.name}:`;
    const names = section.keys.map((key) => key.name);
    return didYouMean(name, section.name === 'workload' ? [WORKLOAD_SOURCE, ...names] : names);
  }

  #valueOf(key: PlanKey, node: Node | null, section: string, at: number): unknown {
    const place = `${section}.${key.name}`;
    const valueAt = node?.range?.[0] ?? at;
    if (isScalar(node) && typeof node.value === 'boolean' && (key.kind === 'switch' || key.mayBeTrue)) {
      if (key.kind === 'switch' || node.value) return node.value;
    }
    if (key.kind === 'switch') throw this.#refuse(`${place} is true or false`, valueAt);
    if (key.kind === 'list')
      return this.#texts(node, place, at).map((text) => this.#parsed(key, text, place, valueAt));
    const text = isSeq(node) ? this.#texts(node, place, at).join(',') : this.#scalar(node, place, at);
    return this.#parsed(key, text, place, valueAt);
  }

  #parsed({ parse }: PlanKey, text: string, place: string, at: number): unknown {
    return this.#taken(parse, text, place, at);
  }

  #taken<Value>(take: (text: string) => Value, text: string, place: string, at: number): Value {
    try {
      return take(text);
    } catch (error) {
      if (!(error instanceof ShiploadError)) throw error;
      const message = error.message.replace(/^--[\w-]+: /, '').replace(`${place}: `, '');
      throw this.#refuse(`${place}: ${message}`, at, error.hint);
    }
  }

  /** One value, or each of a list. */
  #texts(node: Node | null, place: string, at: number): readonly string[] {
    if (!isSeq(node)) return [this.#scalar(node, place, at)];
    return node.items.map((item) => this.#scalar(item as Node | null, place, at));
  }

  /** A scalar as it is written, so that 1e3 and 010 mean what they would mean on the command line. */
  #scalar(node: Node | null, place: string, at: number): string {
    if (isScalar(node) && node.value !== null) {
      const text = typeof node.value === 'string' ? node.value : (node.source ?? JSON.stringify(node.value));
      if (node.tag !== SECRET_TAG) return text;
      return this.#taken((value) => this.#takeSecret(value, place), text, place, node.range?.[0] ?? at);
    }
    throw this.#refuse(
      node === null || isScalar(node) ? `${place} has no value` : `${place} is one value`,
      node?.range?.[0] ?? at,
    );
  }

  #entries(map: object, section: string) {
    const { items } = map as {
      readonly items: readonly { readonly key: unknown; readonly value: unknown }[];
    };
    return items.map(({ key, value }) => {
      if (!isScalar(key)) throw this.#refuse(`${section === '' ? 'a section' : section} needs plain keys`, 0);
      return { key: { text: String(key.value), at: key.range?.[0] ?? 0 }, value: value as Node | null };
    });
  }

  #refuse(message: string, at: number, hint?: string): ShiploadError {
    return new ShiploadError('plan-file-invalid', message, {
      where: this.#placeOf(at),
      ...(hint !== undefined && { hint }),
    });
  }

  #placeOf(at: number): string {
    const { line, col } = this.#lines.linePos(at);
    return `${this.#path}:${line}:${col}`;
  }
}
