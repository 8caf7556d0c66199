import { isIP, type Socket, connect as connectPlain } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectSecure,
  createSecureContext,
  type SecureContext,
} from 'node:tls';
import { ShiploadError } from '../../errors.ts';
import type { ProtocolOptions } from '../protocol.ts';
import type { ReadBuffer } from './known-head.ts';

/** Called with the octets of each read, which lie in the protocol's one read buffer until it returns. */
export type OnRead = (byteCount: number) => boolean;

/** Where connections go, and how one is opened. */
export interface Endpoint {
  /** Value of the Host field (RFC 9110 §7.2): the port is named unless it is the scheme's own. */
  readonly authority: string;
  /** The event after which a request may be written. */
  readonly readyEvent: 'connect' | 'secureConnect';
  open(onRead: OnRead): Socket;
}

/**
 * The endpoint of `http:`, `https:` and `http+unix:` urls (socket path percent-encoded as the host, or as the
 * path after an empty host). `options.socketPath` overrides the address and keeps the Host.
 * The path of an `http:` url plays no part: a request's target is the whole path.
 *
 * Reads of all connections share `buffer`: the system fills it and calls back before it reads anything else.
 * @throws ShiploadError `url-invalid` for any other scheme, `option-invalid` for unusable certificates.
 */
export function endpointOf(options: ProtocolOptions, buffer: ReadBuffer): Endpoint {
  const { url } = options;
  const path = options.socketPath ?? unixPathOf(url);
  const address = path === undefined ? { ...tcpAddressOf(url), ...addressOf(options) } : { path };
  const onread = (callback: OnRead) => ({ buffer: buffer.bytes, callback });
  if (url.protocol === 'https:') {
    const secure: ConnectionOptions = { ...address, ...secureOptionsOf(options) };
    return {
      authority: url.host,
      readyEvent: 'secureConnect',
      // `onread` is documented for tls.connect too; only its published type lacks it.
      open: (onRead) => connectSecure(Object.assign({ onread: onread(onRead) }, secure)).setNoDelay(true),
    };
  }
  return {
    authority: url.protocol === 'http:' ? url.host : 'localhost',
    readyEvent: 'connect',
    open: (onRead) => connectPlain({ ...address, noDelay: true, onread: onread(onRead) }),
  };
}

function secureOptionsOf({ url, tls = {} }: ProtocolOptions): ConnectionOptions {
  const host = hostOf(url);
  return {
    secureContext: secureContextOf(tls),
    rejectUnauthorized: tls.rejectUnauthorized ?? true,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
}

function secureContextOf(tls: NonNullable<ProtocolOptions['tls']>): SecureContext {
  try {
    return createSecureContext(tls);
  } catch (cause) {
    throw new ShiploadError('option-invalid', `the TLS certificates cannot be used: ${String(cause)}`, {
      cause,
    });
  }
}

const addressOf = ({ connectAddress }: ProtocolOptions): { host?: string } =>
  connectAddress === undefined ? {} : { host: connectAddress };

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

function tcpAddressOf(url: URL): { host: string; port: number } {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ShiploadError('url-invalid', `${url.protocol}// is no scheme that load can be sent to`, {
      where: url.href,
      hint: 'http://, https:// or http+unix:// (socket path percent-encoded)',
    });
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: hostOf(url), port };
}

function unixPathOf(url: URL): string | undefined {
  if (url.protocol !== 'http+unix:') return undefined;
  return decodeURIComponent(url.host === '' ? url.pathname : url.host);
}
