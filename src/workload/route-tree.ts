import { extensionOf, isLocale, isSlugLike } from './segment-pattern.ts';

/** A folder or end of paths: its children by segment (a literal, or a pattern such as `[id]`). */
export interface RouteNode {
  readonly children: Map<string, RouteNode>;
  /** Values that children were merged into, with the test for a value never seen. */
  readonly rules: MergeRule[];
  /** Requests through or to this node. */
  hits: number;
  /** Requests that end here. */
  ends: number;
  /** Children by the group they would be merged in, kept one by one up to a limit; absent until there are some. */
  groups?: Map<string, GroupSize>;
}

/** Where a group outgrows its limit its further children share one node, and it is open whatever it repeats. */
interface GroupSize {
  kept: number;
  readonly overflow: RouteNode;
}

interface MergeRule {
  readonly pattern: string;
  readonly fits: (decoded: string, isLeaf: boolean) => boolean;
}

export const newNode = (): RouteNode => ({ children: new Map(), rules: [], hits: 0, ends: 0 });

/** Words that name an action or a place on nearly every site; they are never values. */
const RESERVED = new Set(
  'me new edit create update delete search login logout signin signout signup register static assets api admin help about settings index home feed rss health status metrics'.split(
    ' ',
  ),
);
/** A number that stands alone: letters right after it make it a part of an id in base 36. */
const NUMBERED = /^(.*?)(\d+)((?:[-_.]\D*)?)$/;
const isNumbered = (segment: string): boolean => NUMBERED.test(segment) && !/^v\d/i.test(segment);
const FEWEST_FILES = 8;
const FEWEST_NUMBERED = 3;
const MOST_CHILDREN_MERGED_ANYWAY = 100;
/** Children kept one by one in a group: enough to tell an open set, little enough for any log to fit in memory. */
const MOST_CHILDREN_KEPT = 2000;

const isReserved = (segment: string): boolean => RESERVED.has(segment.toLowerCase());

/** The child for a segment (a certain pattern or a text), made when there is none. */
export function childOf(node: RouteNode, key: string, isCertain: boolean): RouteNode {
  const known = node.children.get(key);
  if (known !== undefined) return known;
  if (!isCertain && !isReserved(key)) {
    const group = groupOf(node, key);
    if (group.kept >= MOST_CHILDREN_KEPT) return group.overflow;
    group.kept += 1;
  }
  const child = newNode();
  node.children.set(key, child);
  return child;
}

/** Groups by what decides the merge and does not change as paths come in, so that their order does not show. */
function groupOf(node: RouteNode, segment: string): GroupSize {
  node.groups ??= new Map();
  const frame = frameOf(segment);
  let group = node.groups.get(frame);
  if (group === undefined) node.groups.set(frame, (group = { kept: 0, overflow: newNode() }));
  return group;
}

const frameOf = (segment: string): string =>
  isNumbered(segment) ? segment.replace(NUMBERED, '$1\0$3') : extensionOf(segment);

type Child = readonly [segment: string, node: RouteNode];

const isPattern = (segment: string): boolean => segment.includes('[');

/** Merges the children of every folder that are values of one parameter, from the root down. */
export function mergeValues(node: RouteNode, depth = 0): void {
  mergeLocales(node);
  mergeFiles(node);
  mergeNumbered(node);
  for (const group of structuralGroups(node)) mergeOpenGroup(node, group, depth);
  for (const [, child] of sortedChildren(node)) mergeValues(child, depth + 1);
}

const sortedChildren = (node: RouteNode): Child[] => [...node.children].sort(([a], [b]) => (a < b ? -1 : 1));

const literalChildren = (node: RouteNode): Child[] =>
  sortedChildren(node).filter(([segment]) => !isPattern(segment) && !isReserved(segment));

function mergeInto(node: RouteNode, members: readonly Child[], rule: MergeRule): void {
  const target = node.children.get(rule.pattern) ?? newNode();
  for (const [segment, child] of members) {
    node.children.delete(segment);
    addNode(target, child);
  }
  node.children.set(rule.pattern, target);
  node.rules.push(rule);
  for (const frame of new Set(members.map(([segment]) => frameOf(segment)))) {
    const group = node.groups?.get(frame);
    if (group === undefined || group.kept < MOST_CHILDREN_KEPT) continue;
    addNode(target, group.overflow);
    node.groups!.delete(frame);
  }
}

function addNode(target: RouteNode, source: RouteNode): void {
  target.hits += source.hits;
  target.ends += source.ends;
  for (const [segment, child] of source.children) {
    const known = target.children.get(segment);
    if (known === undefined) target.children.set(segment, child);
    else addNode(known, child);
  }
}

/** Two languages with a page in common are one site in two languages; `/it` and `/hr` may be departments. */
function mergeLocales(node: RouteNode): void {
  const locales = literalChildren(node).filter(([segment]) => isLocale(segment));
  const sharing = locales.filter(([segment, child]) =>
    locales.some(
      ([other, otherChild]) =>
        other !== segment && [...child.children.keys()].some((key) => otherChild.children.has(key)),
    ),
  );
  if (sharing.length >= 2) mergeInto(node, sharing, { pattern: '[locale]', fits: (text) => isLocale(text) });
}

function mergeFiles(node: RouteNode): void {
  const files = literalChildren(node).filter(([, child]) => child.children.size === 0);
  for (const [extension, members] of groupsBy(files, ([segment]) => extensionOf(segment)))
    if (extension !== '' && members.length >= FEWEST_FILES)
      mergeInto(node, members, {
        pattern: `[file]${extension}`,
        fits: (text, isLeaf) => isLeaf && extensionOf(text) === extension,
      });
}

/** `page-2`, `page-3`, `page-4` → `page-[id]`. */
function mergeNumbered(node: RouteNode): void {
  const numbered = literalChildren(node).filter(([segment]) => isNumbered(segment));
  const groups = groupsBy(numbered, ([segment]) => segment.replace(NUMBERED, '$1\0$3'));
  for (const [frame, members] of groups) {
    const [prefix, suffix] = frame.split('\0') as [string, string];
    if (members.length < FEWEST_NUMBERED || !/[-_.]$|^[a-z]+$/i.test(prefix)) continue;
    const digits = (text: string): string => text.slice(prefix.length, text.length - suffix.length);
    mergeInto(node, members, {
      pattern: `${prefix}[id]${suffix}`,
      fits: (text) => text.startsWith(prefix) && text.endsWith(suffix) && /^\d+$/.test(digits(text)),
    });
  }
}

/** Children alike in structure: a page or a folder, and the extension. */
const structuralGroups = (node: RouteNode): (readonly Child[])[] => [
  ...groupsBy(literalChildren(node), structureOf).values(),
];

const structureOf = ([segment, child]: Child): string =>
  `${child.children.size === 0 ? 'page' : 'folder'}${extensionOf(segment)}`;

function groupsBy(children: readonly Child[], keyOf: (child: Child) => string): Map<string, Child[]> {
  const groups = new Map<string, Child[]>();
  for (const child of children) {
    const key = keyOf(child);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [child]);
    else group.push(child);
  }
  return groups;
}

function mergeOpenGroup(node: RouteNode, members: readonly Child[], depth: number): void {
  if (!isOpenSet(members, depth)) return;
  const slugShare = slugShareOf(members);
  const extension = extensionOf(members[0]![0]);
  const isFolder = members[0]![1].children.size > 0;
  mergeInto(node, members, {
    pattern: `${slugShare >= 0.5 ? '[slug]' : '[name]'}${extension}`,
    fits: (text, isLeaf) => (isFolder || isLeaf) && extensionOf(text) === extension,
  });
}

const slugShareOf = (members: readonly Child[]): number =>
  members.filter(([segment]) => isSlugLike(segment)).length / members.length;

/**
 * Whether children are the values of an open parameter rather than a list of pages. With k values, n
 * requests and f1 values seen once, f1/n is Good and Turing's chance that the next request brings a new
 * value (Good 1953); a closed list of pages repeats itself, so both f1/n and k/n are small.
 */
function isOpenSet(members: readonly Child[], depth: number): boolean {
  const k = members.length;
  const n = members.reduce((sum, [, child]) => sum + child.hits, 0);
  const newRatio = members.filter(([, child]) => child.hits === 1).length / n;
  const slugShare = slugShareOf(members);
  if (k >= MOST_CHILDREN_KEPT) return true;
  if (depth === 0) return k / n >= 0.05 && ((k >= 50 && slugShare >= 0.5) || k >= 200);
  return (
    (k >= 30 && k / n >= 0.05) ||
    (k >= 12 && newRatio >= 0.05 && slugShare >= 0.3) ||
    (k >= 8 && slugShare >= 0.7 && newRatio >= 0.02) ||
    k >= MOST_CHILDREN_MERGED_ANYWAY
  );
}
