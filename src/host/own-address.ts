import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ShiploadError } from '../errors.ts';

/**
 * Refuses every url that does not lead to this machine: a load test cannot be told from an attack. All
 * addresses that the name resolves to must be loopback or an address of one of this machine's interfaces. The
 * first of them is returned and is the one to connect to, so that a second look-up cannot lead elsewhere.
 * Throws `url-not-yours`, also when the name does not resolve.
 */
export async function requireOwnAddress(url: URL): Promise<string> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) > 0 ? [name] : await resolveAll(name);
  const foreign = addresses.find((address) => !isOwnAddress(address));
  if (foreign !== undefined) {
    const what = name === foreign ? `${foreign} is` : `${url.host} leads to ${foreign}, which is`;
    throw new ShiploadError('url-not-yours', `${what} not an address of this machine`, {
      where: '--url',
      hint: 'Load goes to loopback, unix sockets and the machine’s own addresses only.',
    });
  }
  return addresses[0]!;
}

async function resolveAll(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map((entry) => entry.address);
  } catch (cause) {
    throw new ShiploadError(
      'url-not-yours',
      `the name ${name} does not resolve, so it is not proven to be this machine`,
      {
        where: '--url',
        cause,
      },
    );
  }
}

/** Loopback (127.0.0.0/8, ::1), the same mapped into IPv6, or an address of an interface of this machine. */
export function isOwnAddress(address: string): boolean {
  const plain = unmapped(address.toLowerCase());
  if (plain.startsWith('127.') || plain === '::1') return true;
  return Object.values(networkInterfaces())
    .flat()
    .some((entry) => entry !== undefined && unmapped(entry.address.toLowerCase()) === plain);
}

/** `::ffff:127.0.0.1` and `::ffff:7f00:1` are IPv4 addresses in IPv6 clothes. */
function unmapped(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (dotted !== null) return dotted[1]!;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (hex === null) return address.split('%')[0]!;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
