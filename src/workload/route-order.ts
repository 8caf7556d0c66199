/** Order of a segment: what is certain by its spelling comes before what only looks alike, any text before the rest. */
const RANK = { literal: 0, spelt: 1, numbered: 2, framed: 3, whole: 4, open: 5, rest: 6 };

/**
 * Literals before parts of a name, those before whole parameters, `[...rest]` last; of one path the longer query
 * first; then by length and text. No two routes are equal.
 */
export function bySpecificity(a: string, b: string): number {
  const [[pathA, queryA], [pathB, queryB]] = [cut(a), cut(b)];
  if (pathA === pathB) return byLength(queryA, queryB);
  const [left, right] = [pathA.split('/').map(rankOf), pathB.split('/').map(rankOf)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return byLength(pathA, pathB);
}

function cut(route: string): readonly [path: string, query: string] {
  const mark = route.indexOf('?');
  return mark < 0 ? [route, ''] : [route.slice(0, mark), route.slice(mark + 1)];
}

const byLength = (a: string, b: string): number => b.length - a.length || (a === b ? 0 : a < b ? -1 : 1);

function rankOf(segment: string): number {
  if (segment.startsWith('[...')) return RANK.rest;
  const types = [...segment.matchAll(/\[([\w-]*?)\d*\]/g)].map(([, type]) => type!);
  if (types.length === 0) return RANK.literal;
  const isOpen = types.some((type) => OPEN.has(type));
  if (/^\[[\w-]+\]$/.test(segment)) return isOpen ? RANK.open : RANK.whole;
  if (types.every((type) => type !== 'id') && !isOpen) return RANK.spelt;
  return types.includes('id') ? RANK.numbered : RANK.framed;
}

const OPEN = new Set(['name', 'slug', 'file', 'locale']);
