import { isIP } from 'node:net';
import { ShiploadError } from '../errors.ts';
import type { Resolution } from '../session/service-route.ts';

/** `reuse`, `fresh`, or how many requests a connection carries; `fresh` is 1. Throws `option-invalid`. */
export function parseConnections(option: string, text: string): number | 'reuse' {
  const word = text.trim();
  if (word === 'reuse') return word;
  const count = word === 'fresh' ? 1 : Number(word);
  if (word !== '' && Number.isInteger(count) && count >= 1) return count;
  throw new ShiploadError(
    'option-invalid',
    `${option}: "${text}" is not reuse, fresh or a number of requests for each connection`,
    { where: option },
  );
}

/** `HOST:PORT:ADDRESS[,ADDRESS]`, an IPv6 address with or without brackets. Throws `option-invalid`. */
export function parseResolution(option: string, text: string): Resolution {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5}):(.+)$/.exec(text.trim());
  const addresses = (match?.[3] ?? '').split(',').map((address) => address.trim().replace(/^\[|\]$/g, ''));
  const port = Number(match?.[2]);
  if (match !== null && port >= 1 && port <= 65_535 && addresses.every((address) => isIP(address) > 0)) {
    return { host: match[1]!.replace(/^\[|\]$/g, '').toLowerCase(), port, addresses };
  }
  throw new ShiploadError('option-invalid', `${option}: "${text}" is not HOST:PORT:ADDRESS`, {
    where: option,
    hint: 'For example service.example:8080:127.0.0.1',
  });
}
