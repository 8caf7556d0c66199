import type * as Jetstream from '@nats-io/jetstream';
import type * as Obj from '@nats-io/obj';
import type * as Transport from '@nats-io/transport-node';
import { ShiploadError } from '../errors.ts';

/** What is used of the NATS client. */
export interface NatsClient {
  readonly transport: typeof Transport;
  readonly jetstream: typeof Jetstream;
  readonly obj: typeof Obj;
}

/** The NATS client, which is optional: who makes the load in one process needs none. Throws `optional-package-missing`. */
export async function loadNats(): Promise<NatsClient> {
  try {
    const [transport, jetstream, obj] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
      import('@nats-io/obj'),
    ]);
    return { transport, jetstream, obj };
  } catch (cause) {
    throw new ShiploadError(
      'optional-package-missing',
      'load agents need the NATS client, from the packages @nats-io/transport-node, jetstream and obj',
      { cause, hint: 'install shipload without leaving out its optional packages (no --omit=optional)' },
    );
  }
}
