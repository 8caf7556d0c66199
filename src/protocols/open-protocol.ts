import type { Clock } from '../host/host.ts';
import { createHttp1Protocol } from './http1/http1-protocol.ts';
import { createHttp2Protocol } from './http2/http2-protocol.ts';
import type { Protocol, ProtocolOptions } from './protocol.ts';
import { followRedirects } from './redirects.ts';

/** How requests go over the wire, by the version that a plan asks for. */
const PROTOCOLS = {
  '1.1': createHttp1Protocol,
  '2': createHttp2Protocol,
} as const satisfies Record<string, (options: ProtocolOptions, clock: Clock) => Protocol>;

/**
 * Opens the way to the service that the options ask for.
 * @throws ShiploadError `url-invalid` or `option-invalid` for what it cannot carry.
 */
export function openProtocol(options: ProtocolOptions, clock: Clock): Protocol {
  const { httpVersion = '1.1', maxRedirects = 0 } = options.transport ?? {};
  const open = PROTOCOLS[httpVersion];
  return maxRedirects > 0 ? followRedirects(open, options, clock, maxRedirects) : open(options, clock);
}
