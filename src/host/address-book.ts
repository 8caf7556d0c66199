import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ShiploadError } from '../errors.ts';
import { isOwnAddress } from './own-address.ts';

/** A name is looked up again this often: services move, and load that stays behind measures nothing. */
const LOOKUP_SECONDS = 10;

export type LookUp = (name: string) => Promise<readonly string[]>;

/** All addresses of a name, as the system's resolver orders them. */
export const lookUpAll: LookUp = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** The host of a url as a resolver wants it: IPv6 without brackets. */
export const hostNameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * The addresses of a name, given out in turn and looked up again as time goes by. Each is checked at every
 * look-up: one that is neither this machine's nor among those admitted at the start fails whoever is to connect
 * to it, before a packet leaves.
 */
export class AddressBook {
  readonly #name: string;
  readonly #admitted: ReadonlySet<string>;
  readonly #lookUp: LookUp;
  #addresses: readonly string[];
  #foreign: ReadonlySet<string> = new Set();
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `addresses`: those admitted, at least one. */
  constructor(name: string, addresses: readonly string[], lookUp: LookUp = lookUpAll) {
    this.#name = name;
    this.#addresses = addresses;
    this.#admitted = new Set(addresses);
    this.#lookUp = lookUp;
  }

  /**
   * The address for the next connection.
   * @throws ShiploadError `url-not-yours` when the newest look-up gave one that is not this machine's.
   */
  next(): string {
    const address = this.#addresses[this.#turn++ % this.#addresses.length]!;
    if (!this.#foreign.has(address)) return address;
    throw new ShiploadError(
      'url-not-yours',
      `${this.#name} now leads to ${address}, which is not an address of this machine`,
    );
  }

  /** Looks up again every ten seconds until `close`; a literal address has nothing to look up. */
  keepUpToDate(): void {
    if (isIP(this.#name) > 0) return;
    this.#timer = setInterval(() => void this.refresh(), LOOKUP_SECONDS * 1000).unref();
  }

  /** Looks up once. A resolver that fails for a moment changes nothing. */
  async refresh(): Promise<void> {
    const found = await this.#lookUp(this.#name).catch(() => []);
    if (found.length === 0) return;
    // What was left out at the start (nobody listened there) is no more than a second way to the same name.
    const known = found.filter((address) => this.#admitted.has(address));
    this.#addresses = known.length > 0 && known.length < found.length && isAllOwn(found) ? known : found;
    this.#foreign = new Set(
      found.filter((address) => !this.#admitted.has(address) && !isOwnAddress(address)),
    );
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

const isAllOwn = (addresses: readonly string[]): boolean => addresses.every(isOwnAddress);
