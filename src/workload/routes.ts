import { lexicalPatterns } from './segment-pattern.ts';
import { mergeValues, newNode, type RouteNode } from './route-tree.ts';
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
export function learnRoutes(paths: readonly PathCount[]): (target: string) => RouteMatch {
  const root = newNode();
  for (const { target, count } of paths) insert(root, cutTarget(target).segments, count);
  mergeValues(root);
  const routes = new Map<string, NumberedRoute>();
  return (target) => matchTarget(root, cutTarget(target), routes);
}

function insert(root: RouteNode, segments: readonly string[], count: number): void {
  const decoded = segments.map(percentDecoded);
  const patterns = lexicalPatterns(decoded);
  let node = root;
  node.hits += count;
  decoded.forEach((segment, index) => {
    const key = patterns[index] ?? segment;
    const child = node.children.get(key) ?? newNode();
    node.children.set(key, child);
    child.hits += count;
    node = child;
  });
  node.ends += count;
}

interface NumberedRoute {
  readonly route: string;
  readonly names: readonly string[];
}

function matchTarget(
  root: RouteNode,
  { segments }: CutTarget,
  routes: Map<string, NumberedRoute>,
): RouteMatch {
  if (segments.length === 1 && segments[0] === '*') return { route: '*', values: [], isKnown: true };
  const decoded = segments.map(percentDecoded);
  const patterns = lexicalPatterns(decoded);
  const keys: string[] = [];
  let node: RouteNode | undefined = root;
  decoded.forEach((text, index) => {
    const key = keyOf(node, text, patterns[index], index === decoded.length - 1);
    // A literal is shown as it was sent: its escapes may matter to the server.
    keys.push(key.includes('[') ? key : segments[index]!);
    node = node?.children.get(key);
  });
  const path = keys.join('/');
  const { route, names } = routes.get(path) ?? numberedRoute(keys);
  if (names.length > 0 && !routes.has(path)) routes.set(path, { route, names });
  const values = keys.flatMap((key, index) => valuesOf(key, decoded[index]!));
  return {
    route,
    values: values.map((value, index) => ({ name: names[index]!, value })),
    isKnown: node !== undefined && (node.ends > 0 || root.hits === 0),
  };
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
function numberedRoute(keys: readonly string[]): NumberedRoute {
  const seen = new Map<string, number>();
  const names: string[] = [];
  const numbered = keys.map((key) =>
    key.replace(/\[(\w+)\]/g, (_, name: string) => {
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      names.push(number === 1 ? name : `${name}${number}`);
      return `[${names.at(-1)}]`;
    }),
  );
  return { route: `/${numbered.join('/')}`, names };
}

const PATTERN_CACHE_LIMIT = 10_000;
const patternCache = new Map<string, RegExp>();

function valuesOf(key: string, decoded: string): string[] {
  if (!key.includes('[')) return [];
  if (/^\[\w+\]$/.test(key)) return [decoded];
  return matcherOf(key).exec(decoded)?.slice(1) ?? [decoded];
}

function matcherOf(key: string): RegExp {
  const known = patternCache.get(key);
  if (known !== undefined) return known;
  if (patternCache.size >= PATTERN_CACHE_LIMIT) patternCache.clear();
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const parts = key.split(/\[\w+\]/).map(literal);
  const matcher = new RegExp(`^${parts.join('(.+?)')}$`, 's');
  patternCache.set(key, matcher);
  return matcher;
}
