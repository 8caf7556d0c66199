import { ShiploadError } from '../errors.ts';
import type { Transport } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import { portOf } from '../host/probe.ts';
import type { Resolution, TlsRequest } from '../session/service-route.ts';
import type { OptionValues } from './options/index.ts';

const USUAL_REDIRECT_LIMIT = 10;

/** How the requests travel; undefined where nothing but the usual was asked for. Throws `option-invalid`. */
export function transportOf(options: OptionValues): Transport | undefined {
  const httpVersion = httpVersionOf(options);
  const { streams, connections, follow, connectTimeout, firstByteTimeout, insecure } = options;
  if (streams !== undefined && httpVersion !== '2') {
    throw new ShiploadError('option-invalid', '--streams is for HTTP/2: one connection carries them all', {
      where: '--streams',
      hint: 'add --http 2',
    });
  }
  const transport: Transport = {
    ...(httpVersion !== undefined && { httpVersion }),
    ...(streams !== undefined && { streamsPerConnection: streams }),
    ...(typeof connections === 'number' && { requestsPerConnection: connections }),
    ...(follow !== undefined && { maxRedirects: follow === true ? USUAL_REDIRECT_LIMIT : follow }),
    ...(connectTimeout !== undefined && { connectTimeoutSeconds: connectTimeout }),
    ...(firstByteTimeout !== undefined && { firstByteTimeoutSeconds: firstByteTimeout }),
    ...(insecure === true && { tlsUnverified: true }),
  };
  return Object.keys(transport).length === 0 ? undefined : transport;
}

function httpVersionOf({ http, http2 }: OptionValues): Transport['httpVersion'] {
  if (http2 !== true) return http;
  if (http !== '1.1') return '2';
  throw new ShiploadError('option-invalid', '--http 1.1 and --http2 contradict each other', {
    where: '--http, --http2',
  });
}

/** TLS as asked for; undefined where nothing was. Throws `option-invalid` for a url that has no TLS. */
export function tlsOf(url: URL, options: OptionValues): TlsRequest | undefined {
  const { cacert, cert, key, insecure, tlsMin } = options;
  const tls: TlsRequest = {
    ...(cacert !== undefined && { caPath: cacert }),
    ...(cert !== undefined && { certPath: cert }),
    ...(key !== undefined && { keyPath: key }),
    ...(insecure === true && { insecure }),
    ...(tlsMin !== undefined && { minVersion: `TLSv${tlsMin}` as const }),
  };
  if (Object.keys(tls).length === 0) return undefined;
  if (url.protocol === 'https:') return tls;
  throw new ShiploadError(
    'option-invalid',
    `certificates and TLS versions are for https, not for ${url.origin}`,
    {
      where: '--cacert, --cert, --key, --insecure, --tls-min',
    },
  );
}

/** What `--resolve` says; throws `option-invalid` where none of it is about the url. */
export function resolutionsOf(url: URL, options: OptionValues): readonly Resolution[] {
  const resolutions = options.resolve ?? [];
  const isAbout = ({ host, port }: Resolution): boolean =>
    host === url.hostname.replace(/^\[|\]$/g, '') && port === portOf(url);
  if (resolutions.length === 0 || resolutions.some(isAbout)) return resolutions;
  throw new ShiploadError('option-invalid', `--resolve says nothing of ${url.hostname}:${portOf(url)}`, {
    where: '--resolve',
  });
}

/** Headers of every request: those given, and what `--compressed` adds. */
export function headersOf({
  header,
  compressed,
}: OptionValues): Readonly<Record<string, string>> | undefined {
  const headers = Object.fromEntries(header ?? []);
  const isChosen = Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding');
  if (compressed !== true || isChosen) return header === undefined ? undefined : headers;
  return { 'Accept-Encoding': 'gzip, deflate, br', ...headers };
}

/** What a reader of the record must know of the way the load took. */
export function transportNotices(transport: Transport | undefined): readonly Notice[] {
  if (transport?.tlsUnverified !== true) return [];
  return [
    {
      code: 'tls-unverified',
      severity: 'warning',
      message: 'certificates were not checked (--insecure): whoever held the address could answer',
      advice: 'name the service’s own authority with --cacert',
    },
  ];
}
