import { isIP } from 'node:net';
import { ShiploadError } from '../errors.ts';
import { hostNameOf } from '../host/address-book.ts';
import { acceptsConnections, portOf, type Probe } from '../host/probe.ts';
import { RealClock } from '../host/real-clock.ts';
import type { Transport } from '../model/load.ts';
import { secureContextOf } from '../protocols/endpoint.ts';
import { openProtocol } from '../protocols/open-protocol.ts';
import type { ProtocolOptions, TlsOptions } from '../protocols/protocol.ts';
import { readText } from './read-text.ts';

/** `--resolve HOST:PORT:ADDRESS`: a name at a port leads to these addresses, whatever the resolver says. */
export interface Resolution {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

/** TLS as the command line names it: files, not their content. */
export interface TlsRequest {
  readonly caPath?: string;
  readonly certPath?: string;
  readonly keyPath?: string;
  readonly insecure?: boolean;
  readonly minVersion?: TlsOptions['minVersion'];
}

/** Where connections to the service go, and how they are secured. */
export type ServiceRoute = Pick<
  ProtocolOptions,
  'url' | 'connectAddresses' | 'lookUpAgain' | 'socketPath' | 'tls'
>;

export interface RouteRequest {
  readonly url: URL;
  readonly socketPath?: string;
  readonly resolutions?: readonly Resolution[];
  readonly tls?: TlsRequest;
}

/** The addresses that `--resolve` gives a url. */
export const resolvedAddresses = ({ url, resolutions = [] }: RouteRequest): readonly string[] | undefined =>
  resolutions.find(({ host, port }) => host === hostNameOf(url) && port === portOf(url))?.addresses;

/** The urls whose addresses must be the user's own: the url itself, or one for each address it is told to lead to. */
export function guardedUrls(request: RouteRequest): readonly URL[] {
  const addresses = resolvedAddresses(request);
  return addresses === undefined ? [request.url] : addresses.map((address) => withHost(request.url, address));
}

/**
 * The route to a service whose `addresses` were proven: all of them in turn, the name looked up again as time goes by,
 * unless they were given. Throws what reading the certificates throws, and `option-invalid` when they
 * cannot be used.
 */
export async function routeTo(request: RouteRequest, addresses: readonly string[]): Promise<ServiceRoute> {
  const { url, socketPath } = request;
  const tls = request.tls === undefined ? undefined : await readTls(request.tls);
  if (tls !== undefined) secureContextOf(tls);
  const secured = { url, ...(tls !== undefined && { tls }) };
  if (socketPath !== undefined) return { ...secured, socketPath };
  const isGiven = resolvedAddresses(request) !== undefined || isIP(hostNameOf(url)) > 0;
  return { ...secured, connectAddresses: addresses, ...(!isGiven && { lookUpAgain: true }) };
}

/** The route without the addresses at which nobody listens: `localhost` has two, a service often one. */
export async function listeningRoute(route: ServiceRoute): Promise<ServiceRoute> {
  const { url, connectAddresses = [] } = route;
  if (connectAddresses.length < 2) return route;
  const accepts = await Promise.all(
    connectAddresses.map((address) => acceptsConnections(withHost(url, address))),
  );
  const listening = connectAddresses.filter((_, i) => accepts[i]);
  return listening.length === 0 ? route : { ...route, connectAddresses: listening };
}

/** Asks once for `path`, over the protocol and the route that the load will take. Never throws for what the service does. */
export async function probeRoute(
  route: ServiceRoute,
  transport: Transport | undefined,
  path: string,
  timeoutSeconds: number,
): Promise<Probe> {
  const targets = { draw: 'uniform', targets: [path], distinctCount: 1 } as const;
  const requests = [{ id: 'ready', method: 'GET', route: path, shareRatio: 1, targets }];
  const protocol = openProtocol(
    {
      ...(await listeningRoute(route)),
      requests,
      requestTimeoutSeconds: timeoutSeconds,
      ...(transport?.httpVersion !== undefined && { transport: { httpVersion: transport.httpVersion } }),
    },
    new RealClock(),
  );
  try {
    return await new Promise<Probe>((resolve) => {
      protocol
        .openChannel(({ status, outcome, errorCode, errorDetail }) => {
          const sent = (protocol.takeTransport?.().connectionsOpenedCount ?? 0) > 0;
          const isWhole = outcome === 'ok' || errorCode === `http-${status}`;
          const reason = [errorCode, errorDetail].filter(Boolean).join(': ');
          resolve(isWhole ? { answered: true, sent: true, status } : { answered: false, sent, reason });
        })
        .send(0, path);
    });
  } finally {
    await protocol.close();
  }
}

async function readTls({ caPath, certPath, keyPath, insecure, minVersion }: TlsRequest): Promise<TlsOptions> {
  if ((certPath === undefined) !== (keyPath === undefined)) {
    throw new ShiploadError(
      'option-invalid',
      'a client certificate needs its key, and the key its certificate',
      {
        where: '--cert, --key',
      },
    );
  }
  return {
    ...(caPath !== undefined && { ca: await readText(caPath) }),
    ...(certPath !== undefined && { cert: await readText(certPath) }),
    ...(keyPath !== undefined && { key: await readText(keyPath) }),
    ...(insecure === true && { rejectUnauthorized: false }),
    ...(minVersion !== undefined && { minVersion }),
  };
}

function withHost(url: URL, address: string): URL {
  const copy = new URL(url);
  copy.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return copy;
}
