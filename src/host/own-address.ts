import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Loopback (127.0.0.0/8, ::1), the same mapped into IPv6, or an address of an interface of this machine. */
export function isOwnAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (isLoopback(plain)) return true;
  return interfaceEntries().some((entry) => plainAddress(entry.address) === plain);
}

/** An address that is another machine's on every other machine: 127.0.0.0/8, ::1, the same mapped into IPv6. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain.startsWith('127.') || plain === '::1';
}

/** Whether an address lies in a network that one of this machine's interfaces is a member of, as a bridge is. */
export function isOnOwnNetwork(address: string): boolean {
  const plain = plainAddress(address);
  const networks = new BlockList();
  for (const { cidr } of interfaceEntries()) {
    const [network, bits] = cidr?.split('/') ?? [];
    if (network !== undefined && bits !== undefined)
      networks.addSubnet(network, Number(bits), family(network));
  }
  return networks.check(plain, family(plain));
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const interfaceEntries = () =>
  Object.values(networkInterfaces())
    .flat()
    .filter((entry) => entry !== undefined);

/** `::ffff:127.0.0.1` and `::ffff:7f00:1` are IPv4 addresses in IPv6 clothes. */
export function plainAddress(address: string): string {
  const lower = address.toLowerCase();
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower);
  if (dotted !== null) return dotted[1]!;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(lower);
  if (hex === null) return lower.split('%')[0]!;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
