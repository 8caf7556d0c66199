import type { Clock } from '../host/host.ts';
import { createHttp1Protocol } from './http1/http1-protocol.ts';
import type { Protocol, ProtocolOptions } from './protocol.ts';

/** The way to the service that the options ask for. Throws what the protocol throws for options it cannot carry. */
export const openProtocol = (options: ProtocolOptions, clock: Clock): Protocol =>
  createHttp1Protocol(options, clock);
