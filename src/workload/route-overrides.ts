import { queryPairs, type QueryPair } from './query-parameters.ts';
import { compileSegment, type RouteSegment } from './route-segment.ts';
import type { RouteMatch } from './routes.ts';
import { percentDecoded, type CutTarget } from './target-path.ts';

/** What one line of a routes file, or one path of an API description, says. */
export type RouteRule = {
  /** `file:line`, or the file alone. */
  readonly where?: string;
} & (
  | { readonly kind: 'route'; readonly route: string; readonly anyText?: boolean }
  | { readonly kind: 'drop'; readonly route: string }
  | { readonly kind: 'regex'; readonly regex: RegExp; readonly route: string }
);

/** What the overrides say of a target: its route, that it is left out, or nothing. */
export type OverrideMatch = RouteMatch | 'drop' | undefined;

interface CompiledRoute {
  readonly rule: RouteRule;
  readonly route: string;
  readonly segments: readonly RouteSegment[];
  /** The name of a last `[...rest]`, which takes one segment or more. */
  readonly rest?: string;
  readonly query: readonly QueryPair[];
}

const REST = /^\[\.\.\.([\w-]+)\]$/;

/**
 * Compiles rules to a function from a target to what they say of it; the first rule that fits wins. A name
 * that is a type (`[id]`, `[uuid]`, `[date]` …) fits texts of that type only, `[name]` and `[slug]` texts without an
 * extension, any other name every text.
 * Rules that won are added to `used`.
 */
export function compileOverrides(
  rules: readonly RouteRule[],
  used?: Set<RouteRule>,
): (target: CutTarget) => OverrideMatch {
  if (rules.length === 0) return () => undefined;
  const tests = rules.map((rule) => {
    const test = rule.kind === 'regex' ? regexTest(rule) : patternTest(compileRoute(rule));
    return used === undefined ? test : noting(test, () => used.add(rule));
  });
  const byFirst = groupByFirstSegment(rules, tests);
  return (target) => {
    const decoded = target.segments.map(percentDecoded);
    for (const test of byFirst(decoded[0] ?? '')) {
      const match = test(decoded, target);
      if (match !== undefined) return match;
    }
    return undefined;
  };
}

type RuleTest = (decoded: readonly string[], target: CutTarget) => OverrideMatch;

const noting =
  (test: RuleTest, note: () => void): RuleTest =>
  (decoded, target) => {
    const match = test(decoded, target);
    if (match !== undefined) note();
    return match;
  };

/** The tests that a path with this first segment can pass, in order, so that long lists stay fast. */
function groupByFirstSegment(
  rules: readonly RouteRule[],
  tests: readonly RuleTest[],
): (first: string) => readonly RuleTest[] {
  const firstOf = rules.map((rule) => {
    const segment = rule.kind === 'regex' ? '[' : (rule.route.split(/[/?]/)[1] ?? '');
    return segment.includes('[') ? undefined : percentDecoded(segment);
  });
  const groups = new Map<string | undefined, readonly RuleTest[]>();
  for (const first of new Set([undefined, ...firstOf]))
    groups.set(
      first,
      tests.filter((_, index) => firstOf[index] === undefined || firstOf[index] === first),
    );
  return (first) => groups.get(first) ?? groups.get(undefined)!;
}

function regexTest({ regex, route }: Extract<RouteRule, { kind: 'regex' }>): RuleTest {
  return (decoded) => {
    const found = regex.exec(`/${decoded.join('/')}`);
    if (found === null) return undefined;
    const groups = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined);
    return { route, values: groups.map(([name, value]) => ({ name, value })), isKnown: true };
  };
}

function compileRoute(rule: Exclude<RouteRule, { kind: 'regex' }>): CompiledRoute {
  const [path = '', query = ''] = rule.route.split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  const rest = REST.exec(parts.at(-1) ?? '')?.[1];
  const anyText = rule.kind === 'route' && rule.anyText === true;
  return {
    rule,
    route: rule.route,
    segments: (rest === undefined ? parts : parts.slice(0, -1)).map((part) => compileSegment(part, anyText)),
    ...(rest === undefined ? {} : { rest }),
    query: queryPairs(query),
  };
}

function patternTest({ rule, route, segments, rest, query }: CompiledRoute): RuleTest {
  return (decoded, target) => {
    const isLongEnough =
      rest === undefined ? decoded.length === segments.length : decoded.length > segments.length;
    if (!isLongEnough) return undefined;
    const values: { name: string; value: string }[] = [];
    for (const [index, segment] of segments.entries()) {
      const found = segment.values(decoded[index]!);
      if (found === undefined) return undefined;
      found.forEach((value, place) => values.push({ name: segment.names[place]!, value }));
    }
    if (query.length > 0 && !hasPairs(target.query ?? '', query)) return undefined;
    if (rule.kind === 'drop') return 'drop';
    if (rest !== undefined) values.push({ name: rest, value: decoded.slice(segments.length).join('/') });
    return { route, values, isKnown: true };
  };
}

function hasPairs(query: string, wanted: readonly QueryPair[]): boolean {
  const pairs = queryPairs(query);
  return wanted.every(({ name, value }) => pairs.some((pair) => pair.name === name && pair.value === value));
}
