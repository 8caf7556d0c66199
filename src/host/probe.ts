import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIP, type LookupFunction } from 'node:net';
import { ShiploadError } from '../errors.ts';
import { unreachableHint } from './unreachable-hint.ts';

/** What one request found. `sent`: a connection stood, so that the service may have counted the request. */
export type Probe =
  | { readonly answered: true; readonly sent: true; readonly status: number }
  | { readonly answered: false; readonly sent: boolean; readonly reason: string };

/** A service's address. Throws `url-invalid` for anything but http and https. */
export function parseServiceUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
  throw new ShiploadError('url-invalid', `'${url}' is not the address of a web service`, {
    hint: 'write it as http://127.0.0.1:8080',
  });
}

/** The port of a url, also where it is left out. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** A look-up that answers one address whatever the name: the one that was proven, not what the name means now. */
export const lookupOf =
  (address: string): LookupFunction =>
  (_, options, done) => {
    if (options.all === true) done(null, [{ address, family: isIP(address) }]);
    else done(null, address, isIP(address));
  };

/**
 * Makes one GET request on a connection of its own and reads the answer to its end. Never throws for what
 * the service does; `url-invalid` for a url that is none.
 * @param address connect there instead of looking the name up.
 */
export function probeUrl(url: string, path: string, timeoutSeconds = 5, address?: string): Promise<Probe> {
  const target = new URL(path, parseServiceUrl(url));
  const makeRequest = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let sent = false;
    const request = makeRequest(target, {
      agent: false,
      ...(address !== undefined && { lookup: lookupOf(address) }),
    });
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutSeconds} s`)),
      timeoutSeconds * 1000,
    );
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      resolve({ answered: false, sent, reason: describe(error) });
    };
    request.once('socket', (socket) => socket.once('connect', () => (sent = true)));
    request.once('error', fail);
    request.once('response', (response) => {
      response.once('error', fail);
      response.once('end', () => {
        clearTimeout(timer);
        resolve({ answered: true, sent: true, status: response.statusCode ?? 0 });
      });
      response.resume();
    });
    request.end();
  });
}

/** Several addresses of one name fail in one error without a message of its own. */
function describe(error: NodeJS.ErrnoException): string {
  return error.message === '' ? (error.code ?? error.name) : error.message;
}

/** Throws `service-unreachable` unless the service answers a request for `path`, whatever the status; answers it. */
export async function requireReachable(
  url: string,
  path: string,
  timeoutSeconds = 5,
  address?: string,
): Promise<number> {
  const probe = await probeUrl(url, path, timeoutSeconds, address);
  if (probe.answered) return probe.status;
  throw new ShiploadError('service-unreachable', `${url} does not answer: ${probe.reason}`, {
    hint: unreachableHint(probe.reason),
  });
}

/** Whether something accepts connections at the url's port, of its host or of the address given. */
export function acceptsConnections(url: URL, timeoutSeconds = 2, address?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const host = address ?? url.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: portOf(url) });
    const answer = (accepted: boolean) => (): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.setTimeout(timeoutSeconds * 1000, answer(false));
    socket.once('connect', answer(true));
    socket.once('error', answer(false));
  });
}
