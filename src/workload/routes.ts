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
  const root = newNode();
  for (const { path, count } of shapesOf(paths)) insert(root, path, count);
  mergeValues(root);
  const routes = new Map<string, ShapeRoute>();
  return (target) => {
    const path = typedPath(cutTarget(target));
    let shape = routes.get(path.shape);
    if (shape === undefined) {
      shape = shapeRoute(root, path);
      if (routes.size < MOST_SHAPES_KEPT) routes.set(path.shape, shape);
    }
    const { route, isKnown, places } = shape;
    return { route, isKnown, values: places.length === 0 ? NO_VALUES : valuesAt(places, path.decoded) };
  };
}

const MOST_SHAPES_KEPT = 100_000;
const NO_VALUES: RouteMatch['values'] = [];

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

function shapesOf(paths: Iterable<PathCount>): Iterable<{ readonly path: TypedPath; count: number }> {
  const shapes = new Map<string, { readonly path: TypedPath; count: number }>();
  for (const { target, count } of paths) {
    const path = typedPath(cutTarget(target));
    const known = shapes.get(path.shape);
    if (known === undefined) shapes.set(path.shape, { path, count });
    else known.count += count;
  }
  return shapes.values();
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
  readonly route: string;
  readonly isKnown: boolean;
  readonly places: readonly ValuePlace[];
}

interface ValuePlace {
  readonly segment: number;
  readonly names: readonly string[];
  /** Missing where the whole segment is the value. */
  readonly matcher?: RegExp;
}

function shapeRoute(root: RouteNode, { decoded, raw, patterns }: TypedPath): ShapeRoute {
  if (raw.length === 1 && raw[0] === '*') return { route: '*', isKnown: true, places: [] };
  const keys: string[] = [];
  let node: RouteNode | undefined = root;
  decoded.forEach((text, index) => {
    const key = keyOf(node, text, patterns[index], index === decoded.length - 1);
    // A literal is shown as it was sent: its escapes may matter to the server.
    keys.push(key.includes('[') ? key : raw[index]!);
    node = node?.children.get(key);
  });
  const isKnown = node !== undefined && (node.ends > 0 || root.hits === 0);
  return { ...numberedRoute(keys), isKnown };
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
function numberedRoute(keys: readonly string[]): Pick<ShapeRoute, 'route' | 'places'> {
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

function valuesAt(places: readonly ValuePlace[], decoded: readonly string[]): RouteMatch['values'] {
  return places.flatMap(({ segment, names, matcher }) => {
    const text = decoded[segment]!;
    const values = matcher === undefined ? [text] : (matcher.exec(text)?.slice(1) ?? [text]);
    return values.map((value, index) => ({ name: names[index]!, value }));
  });
}
