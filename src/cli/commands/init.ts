import { randomBytes } from 'node:crypto';
import { EXIT, ShiploadError } from '../../errors.ts';
import { readPermissions, writePermissions } from '../../host/permissions.ts';
import { originOf } from '../../host/target-guard.ts';
import { PROOF_PATH } from '../../host/well-known-proof.ts';
import type { Command } from '../command.ts';

export const init: Command = {
  name: 'init',
  usage: '',
  summary: 'prove a service on another machine yours: a token, and the file on the service that must hold it',
  options: ['own'],
  example: 'shipload init --own https://staging.example.com',
  async run(_, options, { terminal }) {
    if (options.own === undefined) {
      throw new ShiploadError('usage', 'which service is yours?', {
        hint: 'For example: shipload init --own https://staging.example.com',
      });
    }
    const origin = originOf(options.own);
    const permissions = await readPermissions();
    const known = permissions.owned.find((entry) => entry.origin === origin);
    const token = known?.token ?? `shipload-${randomBytes(24).toString('hex')}`;
    if (known === undefined)
      await writePermissions({ ...permissions, owned: [...permissions.owned, { origin, token }] });
    terminal.print(
      options.json === true
        ? `${JSON.stringify({ origin, path: PROOF_PATH, token }, null, 1)}\n`
        : `Let ${origin}${PROOF_PATH} answer 200 with this line (others may stand beside it):\n\n  ${token}\n\n` +
            `Every run on ${origin} asks for the file first; load goes there while it is there.`,
    );
    return EXIT.done;
  },
};
