import { lexicalPatterns } from './segment-pattern.ts';
import { childOf, mergeValues, newNode, type RouteNode } from './route-tree.ts';
import { cutTarget, percentDecoded, type CutTarget } from './target-path.ts';

/** A distinct path of the log with the number of its requests. */
export interface PathCount {
  readonly target: string;
  readonly count: number;
}

/** What a path maps to: the route, and the values of its parameters in the order of the route. */
export interface RouteMatch {
  readonly route: string;
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Whether every segment was learned or is certain; a scanner's path is not. */
  readonly isKnown: boolean;
}

/** The route of paths that fit nothing learned. */
export const UNMATCHED = '[unmatched]';

/**
 * Learns routes from distinct paths: certain types by their spelling (`42`, UUIDs, dates, digests), the rest
 * by how many values a place has and how often they repeat. The order of the paths makes no difference.
 * The result maps any target, also one never seen.
 */
export function learnRoutes(paths: Iterable<PathCount>): (target: string) => RouteMatch {
  const learner = new RouteLearner();
  for (const { target, count } of paths) learner.see(target, count);
  const matchOf = learner.learn();
  return (target) => matchOf(learner.see(target, 0), target);
}

/**
 * The same in two passes over targets that are told by number. Targets of one shape (`/books/[id]`) are
 * learned from and named once, so a million ids cost one path.
 */
export class RouteLearner {
  readonly #numbers = new Map<string, number>();
  /** Of each shape one target, to cut again when it is needed. */
  readonly #examples: string[] = [];
  readonly #counts: number[] = [];

  /** Counts requests for a target (0: none that teach anything) and gives the number of its shape. */
  see(target: string, count: number): number {
    const { shape } = typedPath(cutTarget(target));
    const known = this.#numbers.get(shape);
    if (known !== undefined) {
      this.#counts[known]! += count;
      return known;
    }
    this.#numbers.set(shape, this.#examples.length);
    this.#examples.push(target);
    return this.#counts.push(count) - 1;
  }

  /** Learns from what was seen; the result matches a target whose shape has that number. */
  learn(): (shape: number, target: string) => RouteMatch {
    const root = newNode();
    this.#examples.forEach((target, shape) => {
      const count = this.#counts[shape]!;
      if (count > 0) insert(root, typedPath(cutTarget(target)), count);
    });
    mergeValues(root);
    const routes: ShapeRoute[] = [];
    return (shape, target) => {
      const known = (routes[shape] ??= shapeRoute(root, typedPath(cutTarget(this.#examples[shape]!))));
      return known.places.length === 0
        ? known.match
        : { ...known.match, values: valuesAt(known.places, target) };
    };
  }
}

/** A path with its certain values replaced by their patterns: thousands of targets share a shape. */
interface TypedPath {
  readonly shape: string;
  readonly decoded: readonly string[];
  readonly raw: readonly string[];
  readonly patterns: readonly (string | undefined)[];
}

function typedPath({ segments }: CutTarget): TypedPath {
  const decoded = segments.some((segment) => segment.includes('%')) ? segments.map(percentDecoded) : segments;
  const patterns = lexicalPatterns(decoded);
  let shape = '';
  for (let index = 0; index < segments.length; index += 1) shape += `/${patterns[index] ?? segments[index]!}`;
  return { shape, decoded, raw: segments, patterns };
}

function insert(root: RouteNode, { decoded, patterns }: TypedPath, count: number): void {
  let node = root;
  node.hits += count;
  decoded.forEach((segment, index) => {
    const pattern = patterns[index];
    node = childOf(node, pattern ?? segment, pattern !== undefined);
    node.hits += count;
  });
  node.ends += count;
}

/** The route of all targets of one shape, and the places where their values are. */
interface ShapeRoute {
  /** Without the values, which differ from target to target. */
  readonly match: RouteMatch;
  readonly places: readonly ValuePlace[];
}

interface ValuePlace {
  readonly segment: number;
  readonly names: readonly string[];
  /** Missing where the whole segment is the value. */
  readonly matcher?: RegExp;
}

function shapeRoute(root: RouteNode, { decoded, raw, patterns }: TypedPath): ShapeRoute {
  if (raw.length === 1 && raw[0] === '*')
    return { match: { route: '*', isKnown: true, values: [] }, places: [] };
  const keys: string[] = [];
  let node: RouteNode | undefined = root;
  decoded.forEach((text, index) => {
    const key = keyOf(node, text, patterns[index], index === decoded.length - 1);
    // A literal is shown as it was sent: its escapes may matter to the server.
    keys.push(key.includes('[') ? key : raw[index]!);
    node = node?.children.get(key);
  });
  const isKnown = node !== undefined && (node.ends > 0 || root.hits === 0);
  const { route, places } = numberedRoute(keys);
  return { match: { route, isKnown, values: [] }, places };
}

function keyOf(
  node: RouteNode | undefined,
  text: string,
  pattern: string | undefined,
  isLeaf: boolean,
): string {
  if (pattern !== undefined) return pattern;
  if (node === undefined || node.children.has(text)) return text;
  return node.rules.find((rule) => rule.fits(text, isLeaf))?.pattern ?? text;
}

/** The route with its parameters told apart: `[id]`, `[id2]` … from left to right. */
function numberedRoute(keys: readonly string[]): {
  readonly route: string;
  readonly places: readonly ValuePlace[];
} {
  const seen = new Map<string, number>();
  const places: ValuePlace[] = [];
  const numbered = keys.map((key, segment) => {
    const names: string[] = [];
    const text = key.replace(/\[(\w+)\]/g, (_, name: string) => {
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      names.push(number === 1 ? name : `${name}${number}`);
      return `[${names.at(-1)}]`;
    });
    if (names.length > 0)
      places.push({ segment, names, ...(/^\[\w+\]$/.test(key) ? {} : { matcher: matcherOf(key) }) });
    return text;
  });
  return { route: `/${numbered.join('/')}`, places };
}

function matcherOf(key: string): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const parts = key.split(/\[\w+\]/).map(literal);
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}

function valuesAt(places: readonly ValuePlace[], target: string): RouteMatch['values'] {
  const { segments } = cutTarget(target);
  const values: { name: string; value: string }[] = [];
  for (const { segment, names, matcher } of places) {
    const text = percentDecoded(segments[segment]!);
    const found = matcher?.exec(text);
    // A name that holds its own frame twice is one value.
    if (matcher === undefined || found === null) values.push({ name: names[0]!, value: text });
    else
      for (let index = 0; index < names.length; index += 1)
        values.push({ name: names[index]!, value: found![index + 1]! });
  }
  return values;
}
