import type { LogTable } from '../model/log-table.ts';

/** What the names in a log (users, sessions) are worth for telling clients apart. */
export interface UserNames {
  /** Names, and addresses that any of them was used from. */
  readonly nameCount: number;
  readonly addressCount: number;
  /** Names that several people share: used from many addresses within an hour. */
  readonly sharedCount: number;
  /** Whether the name of this id stands for one person; never for 0, which is none. */
  isPerson(userId: number): boolean;
}

/** One person moves between a desk, a phone and the exits of a proxy; more addresses within an hour are several people. */
const MOST_ADDRESSES_PER_HOUR = 4;
const HOUR_SECONDS = 3600;
/** Names of people separate: there are not far fewer of them than of addresses (which change overnight, too). */
const MOST_ADDRESSES_PER_NAME = 10;

/**
 * Tells names of people from accounts that many share (a program's login, a gate that all go through). A name is shared
 * if it is used from more than 4 addresses within any hour of the clock. Where what is left is one name for several
 * addresses, or few for many, names separate worse than addresses do, and none is taken for a person.
 * Undefined for a log without names.
 */
export function userNames(
  { userIds, clientIds, atSeconds }: LogTable,
  rows: Uint32Array,
): UserNames | undefined {
  if (userIds === undefined) return undefined;
  const inHour = new Map<string, Set<number>>();
  const names = new Map<number, Set<number>>();
  const shared = new Set<number>();
  for (const row of rows) {
    const user = userIds[row]!;
    if (user === 0) continue;
    entry(names, user).add(clientIds[row]!);
    if (shared.has(user)) continue;
    const addresses = entry(inHour, `${user} ${Math.floor(atSeconds[row]! / HOUR_SECONDS)}`);
    addresses.add(clientIds[row]!);
    if (addresses.size > MOST_ADDRESSES_PER_HOUR) shared.add(user);
  }
  if (names.size === 0) return undefined;
  const addressesOf = (isWanted: (user: number) => boolean): number =>
    new Set([...names].flatMap(([user, addresses]) => (isWanted(user) ? [...addresses] : []))).size;
  const people = names.size - shared.size;
  const ofPeople = addressesOf((user) => !shared.has(user));
  const separates = people > 1 ? ofPeople <= people * MOST_ADDRESSES_PER_NAME : ofPeople <= 1;
  return {
    nameCount: names.size,
    addressCount: addressesOf(() => true),
    sharedCount: separates ? shared.size : names.size,
    isPerson: (userId) => separates && userId !== 0 && !shared.has(userId),
  };
}

function entry<Key>(map: Map<Key, Set<number>>, key: Key): Set<number> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Set<number>();
  map.set(key, made);
  return made;
}
