import { isIP, type OnReadOpts, Socket, connect as connectPlain } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectSecure,
  createSecureContext,
  type SecureContext,
} from 'node:tls';
import { ShiploadError } from '../errors.ts';
import { AddressBook, hostNameOf } from '../host/address-book.ts';
import type { ProtocolOptions, TlsOptions } from './protocol.ts';

/** Where connections go, and how one is opened. */
export interface Endpoint {
  readonly scheme: 'http' | 'https';
  /** Value of the Host field (RFC 9110 §7.2): the port is named unless it is the scheme's own. */
  readonly authority: string;
  /** The event after which a request may be written. */
  readonly readyEvent: 'connect' | 'secureConnect';
  /** With `onread`, reads go into its buffer and no data events come. Never throws: failures are the socket's. */
  readonly open: (onread?: OnReadOpts) => Socket;
  /** Looks nothing up any more. */
  readonly close: () => void;
}

/**
 * The endpoint of `http:`, `https:` and `http+unix:` urls (socket path percent-encoded as the host, or as the
 * path after an empty host). `options.socketPath` overrides the address and keeps the Host.
 * The path of an `http:` url plays no part: a request's target is the whole path. Over TLS the name of the url
 * is asked for (SNI) and `applicationProtocol` is offered (ALPN).
 * @throws ShiploadError `url-invalid` for any other scheme, `option-invalid` for unusable certificates.
 */
export function endpointOf(options: ProtocolOptions, applicationProtocol: 'http/1.1' | 'h2'): Endpoint {
  const { url } = options;
  const { next, close } = addressesOf(options);
  if (url.protocol === 'https:') {
    const secure = { ...secureOptionsOf(options), ALPNProtocols: [applicationProtocol] };
    return {
      scheme: 'https',
      authority: url.host,
      readyEvent: 'secureConnect',
      // `onread` is documented for tls.connect too; only its published type lacks it.
      open: (onread) =>
        attempt(() =>
          connectSecure(Object.assign(onread === undefined ? {} : { onread }, next(), secure)),
        ).setNoDelay(true),
      close,
    };
  }
  return {
    scheme: 'http',
    authority: url.protocol === 'http:' ? url.host : 'localhost',
    readyEvent: 'connect',
    open: (onread) =>
      attempt(() => connectPlain({ ...next(), noDelay: true, ...(onread !== undefined && { onread }) })),
    close,
  };
}

/** A connection that cannot even be tried fails like one that was refused: through its error event. */
function attempt(connect: () => Socket): Socket {
  try {
    return connect();
  } catch (error) {
    return new Socket().destroy(error as Error);
  }
}

type Address = { readonly path: string } | { readonly host: string; readonly port: number };

interface Addresses {
  readonly next: () => Address;
  readonly close: () => void;
}

function addressesOf(options: ProtocolOptions): Addresses {
  const close = (): void => {};
  const path = options.socketPath ?? unixPathOf(options.url);
  if (path !== undefined) return { next: () => ({ path }), close };
  const { host, port } = tcpAddressOf(options.url);
  if (options.connectAddresses === undefined) return { next: () => ({ host, port }), close };
  const book = new AddressBook(host, options.connectAddresses);
  if (options.lookUpAgain === true) book.keepUpToDate();
  return { next: () => ({ host: book.next(), port }), close: () => book.close() };
}

function secureOptionsOf({ url, tls = {} }: ProtocolOptions): ConnectionOptions {
  const host = hostNameOf(url);
  return {
    secureContext: secureContextOf(tls),
    rejectUnauthorized: tls.rejectUnauthorized ?? true,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
}

/** @throws ShiploadError `option-invalid` for certificates or a key that cannot be used. */
export function secureContextOf(tls: TlsOptions): SecureContext {
  try {
    return createSecureContext(tls);
  } catch (cause) {
    throw new ShiploadError('option-invalid', `the TLS certificates cannot be used: ${String(cause)}`, {
      cause,
    });
  }
}

function tcpAddressOf(url: URL): { host: string; port: number } {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ShiploadError('url-invalid', `${url.protocol}// is no scheme that load can be sent to`, {
      where: url.href,
      hint: 'http://, https:// or http+unix:// (socket path percent-encoded)',
    });
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: hostNameOf(url), port };
}

function unixPathOf(url: URL): string | undefined {
  if (url.protocol !== 'http+unix:') return undefined;
  return decodeURIComponent(url.host === '' ? url.pathname : url.host);
}
