import type { LogTable } from '../model/log-table.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { userNames, type UserNames } from './user-names.ts';

/** The requests of one client in the order of their starts. */
export interface ClientRows {
  readonly rows: Uint32Array;
  /** The log does not say who it was: `-`, an empty field, a socket. */
  readonly isUnknown: boolean;
  /** Number of the address; missing where the client goes by its name. */
  readonly addressId?: number;
}

const UNKNOWN = /^(?:-|unix:.*|)$/;

/** Clients by the best key of the log, with what was found about the names in it. */
export interface ClientGrouping {
  readonly key: NonNullable<WorkloadModel['clientKey']>;
  readonly clients: readonly ClientRows[];
  /** Missing: the log names nobody. */
  readonly names?: UserNames;
}

/**
 * Groups rows by the best key of the log: the session or user where the row's name stands for one person, else address
 * and user agent (people behind one address often differ in it), else the address alone.
 */
export function rowsByClient(table: LogTable, rows: Uint32Array, kinds: Uint8Array): ClientGrouping {
  const names = userNames(table, rows);
  const { numbers, count, withUser } = clientNumbers(table, rows, names);
  const hasAgents = table.agents.length > 1;
  const clients = slices(rows, numbers, count).map((slice) => {
    sortByStart(table, kinds, slice);
    const first = slice[0]!;
    const hasUser = names !== undefined && names.isPerson(table.userIds![first]!);
    if (hasUser) return { rows: slice, isUnknown: false };
    const addressId = table.clientIds[first]!;
    return { rows: slice, isUnknown: UNKNOWN.test(table.clients.at(addressId)!), addressId };
  });
  const key = withUser * 2 > rows.length ? 'user' : hasAgents ? 'address-and-agent' : 'address';
  return { key, clients, ...(names !== undefined && { names }) };
}

/** The number of each row's client, in the order of first appearance. */
function clientNumbers(
  table: LogTable,
  rows: Uint32Array,
  names: UserNames | undefined,
): { readonly numbers: Uint32Array; readonly count: number; readonly withUser: number } {
  const numberOf = new Map<number, number>();
  const numbers = new Uint32Array(rows.length);
  const agentCount = table.agents.length;
  let withUser = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]!;
    const user = names !== undefined && names.isPerson(table.userIds![row]!) ? table.userIds![row]! : 0;
    if (user !== 0) withUser += 1;
    const key = user === 0 ? table.clientIds[row]! * agentCount + table.agentIds[row]! : -user;
    let number = numberOf.get(key);
    if (number === undefined) numberOf.set(key, (number = numberOf.size));
    numbers[index] = number;
  }
  return { numbers, count: numberOf.size, withUser };
}

/** Rows with equal numbers side by side: a counting sort, so that five million rows take two passes. */
function slices(rows: Uint32Array, numbers: Uint32Array, count: number): Uint32Array[] {
  const offsets = new Uint32Array(count + 1);
  for (const number of numbers) offsets[number + 1]! += 1;
  for (let number = 0; number < count; number += 1) offsets[number + 1]! += offsets[number]!;
  const next = offsets.slice();
  const ordered = new Uint32Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    const number = numbers[index]!;
    ordered[next[number]!] = rows[index]!;
    next[number]! += 1;
  }
  return Array.from({ length: count }, (_, number) => ordered.subarray(offsets[number], offsets[number + 1]));
}

/** By start; where starts are equal a page comes before what it loads, then by duration. */
function sortByStart(table: LogTable, kinds: Uint8Array, rows: Uint32Array): void {
  const compare = (a: number, b: number): number =>
    table.atSeconds[a]! - table.atSeconds[b]! ||
    kinds[table.targetIds[a]!]! - kinds[table.targetIds[b]!]! ||
    durationOf(table, a) - durationOf(table, b);
  for (let index = 1; index < rows.length; index += 1)
    if (compare(rows[index - 1]!, rows[index]!) > 0) {
      rows.sort(compare);
      return;
    }
}

/** Response time in seconds; 0 where the row has none. */
export const durationOf = (table: LogTable, row: number): number => {
  const seconds = table.responseTimeSeconds[row]!;
  return Number.isNaN(seconds) ? 0 : seconds;
};
