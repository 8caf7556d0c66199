import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { EXIT, ShiploadError } from '../../errors.ts';
import { plainAddress } from '../../host/own-address.ts';
import {
  type Allowance,
  permissionsPath,
  readPermissions,
  writePermissions,
} from '../../host/permissions.ts';
import { originOf } from '../../host/target-guard.ts';
import type { Command } from '../command.ts';
import { optionCheck } from '../option-check.ts';
import { parseUrl } from '../parse-values.ts';

export const allow: Command = {
  name: 'allow',
  usage: '[URL]',
  summary:
    'permit load on a service of yours on another machine, up to a rate and a date; without URL: the list',
  options: ['allowedRate', 'until'],
  example: 'shipload allow https://staging.example.com --rate 50 --until 8h',
  async run([text], options, { terminal, given }) {
    optionCheck(given)({ input: text === undefined ? 'nothing' : 'url', options });
    const permissions = await readPermissions();
    if (text === undefined) {
      const lines = permissions.allowed.map(allowanceText);
      terminal.print(
        options.json === true
          ? `${JSON.stringify(permissions.allowed, null, 1)}\n`
          : lines.join('\n') || 'Nothing on another machine is allowed.',
      );
      return EXIT.done;
    }
    const { allowedRate, until } = options;
    if (allowedRate === undefined || until === undefined) {
      throw new ShiploadError('usage', 'a permission has a rate and an end', {
        hint: 'For example: shipload allow https://staging.example.com --rate 50 --until 8h',
      });
    }
    const url = parseUrl('URL', text);
    const entry: Allowance = {
      origin: originOf(url),
      addresses: [...(await addressesOf(url))],
      ratePerSecond: allowedRate,
      until: until.toISOString(),
    };
    const others = permissions.allowed.filter(({ origin }) => origin !== entry.origin);
    await writePermissions({ ...permissions, allowed: [...others, entry] });
    terminal.print(options.json === true ? `${JSON.stringify(entry, null, 1)}\n` : allowanceText(entry));
    terminal.say(
      'By this you say that the service is yours, or that its owner agreed to the load. ' +
        `Kept in ${permissionsPath()}; remove the entry there to take it back.`,
    );
    return EXIT.done;
  },
};

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
