import type { Clock } from '../host/host.ts';
import { createHttp1Protocol } from './http1/http1-protocol.ts';
import { createHttp2Protocol } from './http2/http2-protocol.ts';
import type { Protocol, ProtocolOptions } from './protocol.ts';

/** How requests go over the wire, by the version that a plan asks for. */
export const PROTOCOLS = {
  '1.1': createHttp1Protocol,
  '2': createHttp2Protocol,
} as const satisfies Record<string, (options: ProtocolOptions, clock: Clock) => Protocol>;

export const HTTP_VERSIONS = ['1.1', '2'] as const satisfies readonly (keyof typeof PROTOCOLS)[];

/**
 * Opens the protocol that the options ask for.
 * @throws ShiploadError `url-invalid` or `option-invalid` for what it cannot carry.
 */
export function openProtocol(options: ProtocolOptions, clock: Clock): Protocol {
  return PROTOCOLS[options.transport?.httpVersion ?? '1.1'](options, clock);
}
