import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ShiploadError } from '../errors.ts';
import type { Container } from './container.ts';
import { isOwnAddress, plainAddress } from './own-address.ts';
import { NO_PERMISSIONS, type Permissions } from './permissions.ts';
import { fetchProof } from './well-known-proof.ts';

/** Why load may go to an address. */
export type Proof =
  | { readonly kind: 'own-address' }
  | { readonly kind: 'container'; readonly name: string }
  | { readonly kind: 'allow-list'; readonly ratePerSecond: number; readonly until: string }
  | { readonly kind: 'well-known' };

/** A url that may be loaded, and the addresses to connect to: no second look-up can lead elsewhere. */
export interface ProvenTarget {
  readonly addresses: readonly string[];
  readonly proof: Proof;
}

/** What the guard asks of the world. */
export interface GuardWorld {
  /** All addresses of a name; rejects when there are none. */
  resolve(name: string): Promise<readonly string[]>;
  isOwn(address: string): boolean;
  /** Body of the proof file at this address. Called only for urls the user made a token for. */
  fetchProof(url: URL, address: string): Promise<string>;
  nowMilliseconds(): number;
  readonly permissions: Permissions;
  readonly container?: Container;
}

/** The real world under these permissions. */
export function guardWorld(permissions: Permissions, container?: Container): GuardWorld {
  return {
    resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    isOwn: isOwnAddress,
    fetchProof,
    nowMilliseconds: () => Date.now(),
    permissions,
    ...(container !== undefined && { container }),
  };
}

/** A url's scheme, host and port: what is permitted, and nothing beside it. */
export const originOf = (url: URL): string => `${url.protocol}//${url.host}`;

/**
 * Refuses every url that is not proven to be the user's: a load test cannot be told from an attack. Every address
 * that the name resolves to must be this machine's own (loopback, an interface, the named container), or be
 * covered by an allow entry of the user, or serve the user's token. One that is not refuses all.
 * Throws `url-not-yours`, also when the name does not resolve; not a packet has gone to the url then, unless
 * the user made a token for it.
 */
export async function proveTarget(url: URL, world: GuardWorld): Promise<ProvenTarget> {
  const addresses = await addressesOf(url, world);
  const foreign = addresses.filter((address) => !world.isOwn(address) && !isContainers(address, world));
  if (foreign.length === 0) return { addresses, proof: ownProof(addresses[0]!, world) };
  const proof = allowanceFor(url, foreign, world) ?? (await tokenFor(url, foreign, world));
  if (proof === undefined) throw notYours(url, foreign[0]!);
  return { addresses, proof };
}

/**
 * The addresses of a url that is this machine's own: for what nobody gave a permission for, as the target of a
 * redirect, or a page of counters elsewhere. `where`: the option that led there. Throws `url-not-yours`.
 */
export async function requireOwnAddresses(url: URL, where: string): Promise<readonly string[]> {
  try {
    return (await proveTarget(url, guardWorld(NO_PERMISSIONS))).addresses;
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    throw new ShiploadError(error.code, `${error.message}: ${originOf(url)}`, {
      where,
      hint: 'A permission is for the url of the service alone: what else is asked must be on this machine.',
      cause: error,
    });
  }
}

/** What a service is told to listen on, and what it then says of itself; it is nobody's address. */
const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

async function addressesOf(url: URL, world: GuardWorld): Promise<readonly string[]> {
  const name = hostOf(url);
  if (isIP(name) > 0) return [name];
  const { container } = world;
  if (container?.name === name && container.addresses.length > 0) return container.addresses;
  const addresses = await world.resolve(name).catch((cause: unknown) => {
    throw unresolved(name, cause);
  });
  if (addresses.length === 0) throw unresolved(name);
  return addresses;
}

function unresolved(name: string, cause?: unknown): ShiploadError {
  return new ShiploadError('url-not-yours', `the name ${name} does not resolve, so it is not proven yours`, {
    where: '--url',
    cause,
  });
}

const isContainers = (address: string, { container }: GuardWorld): boolean =>
  container?.addresses.some((own) => plainAddress(own) === plainAddress(address)) === true;

function ownProof(address: string, world: GuardWorld): Proof {
  const { container } = world;
  return container !== undefined && isContainers(address, world)
    ? { kind: 'container', name: container.name }
    : { kind: 'own-address' };
}

/** An allow entry counts until its end, and for the addresses that the name had when it was made. */
function allowanceFor(url: URL, foreign: readonly string[], world: GuardWorld): Proof | undefined {
  const entry = world.permissions.allowed.find(({ origin }) => origin === originOf(url));
  if (entry === undefined) return undefined;
  const { ratePerSecond, until } = entry;
  if (Date.parse(until) <= world.nowMilliseconds()) {
    throw new ShiploadError('url-not-yours', `the permission for ${entry.origin} ended at ${until}`, {
      where: '--url',
      hint: `Allow it again: shipload allow ${entry.origin} --rate ${ratePerSecond} --until DATE`,
    });
  }
  const unknown = foreign.find((address) => !entry.addresses.includes(plainAddress(address)));
  if (unknown === undefined) return { kind: 'allow-list', ratePerSecond, until };
  throw new ShiploadError(
    'url-not-yours',
    `${url.host} leads to ${unknown} now; the permission was given for ${entry.addresses.join(', ')}`,
    { where: '--url', hint: 'If that is right, give it again with shipload allow.' },
  );
}

async function tokenFor(url: URL, foreign: readonly string[], world: GuardWorld): Promise<Proof | undefined> {
  const entry = world.permissions.owned.find(({ origin }) => origin === originOf(url));
  if (entry === undefined) return undefined;
  for (const address of foreign) {
    const body = await world.fetchProof(url, address);
    const lines = body.split(/\r?\n/).map((line) => line.trim());
    if (lines.includes(entry.token)) continue;
    throw new ShiploadError(
      'url-not-yours',
      `${entry.origin}/.well-known/shipload.txt at ${address} does not hold your token`,
      { where: '--url', hint: `shipload init --own ${entry.origin} says what the file must hold.` },
    );
  }
  return { kind: 'well-known' };
}

function notYours(url: URL, foreign: string): ShiploadError {
  const what = hostOf(url) === foreign ? `${foreign} is` : `${url.host} leads to ${foreign}, which is`;
  return new ShiploadError('url-not-yours', `${what} not an address of this machine`, {
    where: '--url',
    hint: EVERY_ADDRESS.includes(foreign)
      ? `There a service listens, on every address; it is reached at ${url.protocol}//127.0.0.1${url.port === '' ? '' : `:${url.port}`}`
      : `If it is yours: shipload init --own ${originOf(url)} (a token on the service), ` +
        `or shipload allow ${originOf(url)} --rate N --until DATE (your word for it).`,
  });
}
