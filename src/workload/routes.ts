import { bySpecificity } from './route-order.ts';
import { compileOverrides } from './route-overrides.ts';
import { compileSegment, literalSegment, type RouteSegment } from './route-segment.ts';
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
  /** Whether a learned route fits; none does a scanner's path. */
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

  /**
   * Learns from what was seen; the result matches a target whose shape has that number. What was learned is a list of
   * routes, and the first that fits a target wins, as in a routes file: written and read again, it does the same.
   */
  learn(): (shape: number, target: string) => RouteMatch {
    const root = newNode();
    this.#examples.forEach((target, shape) => {
      const count = this.#counts[shape]!;
      if (count > 0) insert(root, typedPath(cutTarget(target)), count);
    });
    mergeValues(root);
    const learned = new Map<string, string>();
    this.#examples.forEach((target, shape) => {
      if (this.#counts[shape]! > 0) keepShorter(learned, treeRoute(root, typedPath(cutTarget(target))));
    });
    const rules = [...learned.values()]
      .sort(bySpecificity)
      .map((route) => ({ kind: 'route', route }) as const);
    const matchOf = compileOverrides(rules);
    const routes: ShapeRoute[] = [];
    return (shape, target) => {
      const known = (routes[shape] ??= shapeRoute(root, matchOf, cutTarget(this.#examples[shape]!)));
      return known.places.length === 0
        ? known.match
        : { ...known.match, values: valuesAt(known.places, target) };
    };
  }
}

/** Of routes that fit the same targets (`/A`, `/%41`) one is kept. */
function keepShorter(learned: Map<string, string>, route: string): void {
  const key = route.split('/').map(percentDecoded).join('\0');
  const known = learned.get(key);
  const isBetter =
    known === undefined || route.length < known.length || (route.length === known.length && route < known);
  if (isBetter) learned.set(key, route);
}

/** A path with its certain values replaced by their patterns: thousands of targets share a shape. */
interface TypedPath {
  readonly shape: string;
  readonly decoded: readonly string[];
  readonly raw: readonly string[];
  readonly patterns: readonly (string | undefined)[];
}

function typedPath({ segments }: CutTarget): TypedPath {
  const isPlain = segments.every((segment) => !/[%[\]]/.test(segment));
  // Brackets stand for parameters in all that follows.
  const decoded = isPlain ? segments : segments.map((segment) => withoutBrackets(percentDecoded(segment)));
  const patterns = lexicalPatterns(decoded);
  let shape = '';
  for (let index = 0; index < segments.length; index += 1)
    shape += `/${patterns[index] ?? withoutBrackets(segments[index]!)}`;
  return { shape, decoded, raw: segments, patterns };
}

const withoutBrackets = (text: string): string =>
  /[[\]]/.test(text) ? text.replaceAll('[', '%5B').replaceAll(']', '%5D') : text;

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
  readonly values: RouteSegment;
}

function shapeRoute(
  root: RouteNode,
  matchOf: ReturnType<typeof compileOverrides>,
  target: CutTarget,
): ShapeRoute {
  const listed = matchOf(target);
  const isListed = listed !== undefined && listed !== 'drop';
  const route = isListed ? listed.route : treeRoute(root, typedPath(target));
  return {
    match: { route, isKnown: isListed, values: [] },
    places: placesOf(route),
  };
}

/** Where the learned tree leads a path, with what the tree does not know as it is. */
function treeRoute(root: RouteNode, { decoded, raw, patterns }: TypedPath): string {
  if (raw.length === 1 && raw[0] === '*') return '*';
  const keys: string[] = [];
  let node: RouteNode | undefined = root;
  decoded.forEach((text, index) => {
    const key = keyOf(node, text, patterns[index], index === decoded.length - 1);
    // A literal is shown as it was sent: its escapes may matter to the server.
    keys.push(key.includes('[') ? key : literalSegment(raw[index]!));
    node = node?.children.get(key);
  });
  return numberedRoute(keys);
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
function numberedRoute(keys: readonly string[]): string {
  const seen = new Map<string, number>();
  const numbered = keys.map((key) =>
    key.replace(/\[(\w+)\]/g, (_, name: string) => {
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      return `[${number === 1 ? name : `${name}${number}`}]`;
    }),
  );
  return `/${numbered.join('/')}`;
}

const placesOf = (route: string): ValuePlace[] =>
  route.split('/').flatMap((text, place) => {
    const values = compileSegment(text);
    return values.names.length === 0 ? [] : [{ segment: place - 1, values }];
  });

function valuesAt(places: readonly ValuePlace[], target: string): RouteMatch['values'] {
  const { segments } = cutTarget(target);
  return places.flatMap(({ segment, values: { names, values } }) => {
    const text = percentDecoded(segments[segment]!);
    const found = values(text) ?? [text];
    return found.map((value, place) => ({ name: names[place]!, value }));
  });
}
