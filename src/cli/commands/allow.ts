import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { EXIT, ShiploadError } from '../../errors.ts';
import { isOwnAddress, plainAddress } from '../../host/own-address.ts';
import {
  type Allowance,
  permissionsPath,
  readPermissions,
  withAllowance,
  withoutOrigin,
  writePermissions,
} from '../../host/permissions.ts';
import { originOf } from '../../host/target-guard.ts';
import type { Command } from '../command.ts';
import { optionCheck } from '../option-check.ts';
import type { OptionValues } from '../options/index.ts';
import { parseUrl } from '../parse-values.ts';
import type { Terminal } from '../terminal.ts';

export const allow: Command = {
  name: 'allow',
  usage: '[URL]',
  summary:
    'permit load on a service of yours on another machine, up to a rate and a date; without URL: the list',
  options: ['allowedRate', 'until', 'revoke'],
  example: 'shipload allow https://staging.example.com --rate 50 --until 8h',
  async run([text], options, { terminal, given }) {
    if (text === undefined) {
      await list(options, terminal);
      return EXIT.done;
    }
    optionCheck(given)({ input: 'url', options });
    const url = parseUrl('URL', text);
    if (options.revoke === true) await revoke(originOf(url), options, terminal);
    else await permit(url, options, terminal);
    return EXIT.done;
  },
};

async function list(options: OptionValues, terminal: Terminal): Promise<void> {
  if ((options.revoke ?? options.allowedRate ?? options.until) !== undefined) {
    throw new ShiploadError('usage', 'which URL is meant?', {
      hint: 'shipload allow URL --rate N --until DATE permits, shipload allow URL --revoke takes back.',
    });
  }
  const { allowed, owned } = await readPermissions();
  const lines = [
    ...allowed.map(allowanceText),
    ...owned.map(({ origin }) => `${origin}: while it serves the token of shipload init --own`),
  ];
  terminal.print(
    options.json === true
      ? `${JSON.stringify(allowed, null, 1)}\n`
      : lines.join('\n') || 'Nothing on another machine is allowed.',
  );
}

async function permit(url: URL, options: OptionValues, terminal: Terminal): Promise<void> {
  const { allowedRate, until } = options;
  if (allowedRate === undefined || until === undefined) {
    throw new ShiploadError('usage', 'a permission has a rate and an end', {
      hint: 'For example: shipload allow https://staging.example.com --rate 50 --until 8h',
    });
  }
  const addresses = await addressesOf(url);
  if (addresses.every(isOwnAddress)) {
    throw new ShiploadError('usage', `${url.host} is this machine: load may go there as it is`, {
      where: 'URL',
      hint: `shipload run ${originOf(url)} …; --max-rate and --max-users bound it.`,
    });
  }
  const entry: Allowance = {
    origin: originOf(url),
    addresses: [...addresses],
    ratePerSecond: allowedRate,
    until: until.toISOString(),
  };
  await writePermissions(withAllowance(await readPermissions(), entry));
  terminal.print(options.json === true ? `${JSON.stringify(entry, null, 1)}\n` : allowanceText(entry));
  terminal.say(
    'By this you say that the service is yours, or that its owner agreed to the load. ' +
      `Kept in ${permissionsPath()}; shipload allow ${entry.origin} --revoke takes it back.`,
  );
}

async function revoke(origin: string, options: OptionValues, terminal: Terminal): Promise<void> {
  const before = await readPermissions();
  const after = withoutOrigin(before, origin);
  const revokedCount =
    before.allowed.length + before.owned.length - after.allowed.length - after.owned.length;
  if (revokedCount === 0) {
    throw new ShiploadError('usage', `nothing is permitted for ${origin}`, {
      where: 'URL',
      hint: 'shipload allow lists what is; scheme, host and port must be the same.',
    });
  }
  await writePermissions(after);
  terminal.print(
    options.json === true
      ? `${JSON.stringify({ origin, revokedCount }, null, 1)}\n`
      : `Taken back: no load goes to ${origin} any more.`,
  );
}

/** The addresses are part of the permission: a name that leads elsewhere tomorrow is not covered. */
async function addressesOf(url: URL): Promise<readonly string[]> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(name) > 0) return [plainAddress(name)];
  try {
    return (await lookup(name, { all: true })).map(({ address }) => plainAddress(address));
  } catch (cause) {
    throw new ShiploadError('url-invalid', `the name ${name} does not resolve, so nothing can be allowed`, {
      where: 'URL',
      cause,
    });
  }
}

const allowanceText = ({ origin, addresses, ratePerSecond, until }: Allowance): string =>
  `${origin} (${addresses.join(', ')}): at most ${ratePerSecond} requests/s until ${until}`;
