import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is refused; `enter`: it brought the token and gets the cookie. */
export type Admission = 'admitted' | 'enter' | 'foreign-host' | 'foreign-origin' | 'no-token';

/** Browsers share cookies between the ports of a host: each dashboard has its own. */
const cookieName = (port: number): string => `shipload-${port}`;

export const newToken = (): string => randomBytes(16).toString('hex');

/** The cookie that stands for the token on later requests of the same browser. */
export const tokenCookie = (token: string, port: number): string =>
  `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`;

/**
 * A page of another site can make a browser send requests to this machine (by a name that resolves to loopback, or
 * by a form). So the host must be the one that was bound, the origin none or our own, and the token known.
 */
export function admit(request: IncomingMessage, token: string, port: number): Admission {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const { host, origin, cookie } = request.headers;
  if (host === undefined || !hosts.includes(host)) return 'foreign-host';
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) return 'foreign-origin';
  const given = new URL(request.url ?? '/', `http://${host}`).searchParams.get('token');
  if (given !== null && isSame(given, token)) return 'enter';
  const held = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === cookieName(port))?.[1];
  return held !== undefined && isSame(held, token) ? 'admitted' : 'no-token';
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
