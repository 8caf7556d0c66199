import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ShiploadError } from '../errors.ts';
import { lookupOf } from './probe.ts';

/** Where the owner of a service puts the token (RFC 8615). */
export const PROOF_PATH = '/.well-known/shipload.txt';
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MILLISECONDS = 5000;

/**
 * The proof file at one address of a url: one GET, no redirect followed, at most 64 KB and 5 s.
 * Throws `url-not-yours` for anything but a 200.
 */
export function fetchProof(url: URL, address: string): Promise<string> {
  const makeRequest = url.protocol === 'https:' ? requestHttps : requestHttp;
  const target = new URL(PROOF_PATH, `${url.protocol}//${url.host}`);
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      request.destroy();
      reject(
        new ShiploadError('url-not-yours', `${target.href} does not prove that it is yours: ${why}`, {
          where: '--url',
        }),
      );
    };
    const request = makeRequest(target, { agent: false, lookup: lookupOf(address) });
    const timer = setTimeout(
      () => fail(`no answer within ${TIMEOUT_MILLISECONDS / 1000} s`),
      TIMEOUT_MILLISECONDS,
    );
    request.once('error', (error) => fail(error.message));
    request.once('response', (response) => {
      if (response.statusCode !== 200) return fail(`status ${response.statusCode}`);
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (body.length > MAX_BYTES) fail('it is longer than 64 KB');
      });
      response.once('error', (error) => fail(error.message));
      response.once('end', () => {
        clearTimeout(timer);
        resolve(body);
      });
    });
    request.end();
  });
}
