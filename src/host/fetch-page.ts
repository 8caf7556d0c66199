import { Agent, get } from 'node:http';
import { Agent as TlsAgent, get as getTls } from 'node:https';
import { ShiploadError } from '../errors.ts';
import { lookupOf } from './probe.ts';

const LONGEST_BYTES = 16e6;

/** A page that is read again and again. */
export interface PageReader {
  /** The page's text; rejects with `metrics-unreadable` unless it comes whole, with status 200, in time. */
  read(): Promise<string>;
  close(): void;
}

/**
 * Reads a page over a connection of its own, kept open between readings.
 * @param address connect there instead of looking the name up.
 */
export function createPageReader(url: URL, address?: string, timeoutSeconds = 1): PageReader {
  const isTls = url.protocol === 'https:';
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, maxSockets: 1 })
    : new Agent({ keepAlive: true, maxSockets: 1 });
  const lookup = address === undefined ? {} : { lookup: lookupOf(address) };
  return {
    read: () =>
      new Promise((resolve, reject) => {
        const fail = (reason: string): void => {
          request.destroy();
          reject(
            new ShiploadError('metrics-unreadable', `${url.href} cannot be read: ${reason}`, {
              where: '--metrics, --stats',
              hint: 'name a page of the service in the Prometheus text format or JSON, as a path or a URL',
            }),
          );
        };
        const request = (isTls ? getTls : get)(url, { agent, ...lookup }, (response) => {
          if (response.statusCode !== 200) return fail(`it answered ${response.statusCode}`);
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            text += part;
            if (text.length > LONGEST_BYTES) fail('it is longer than 16 MB');
          });
          response.once('end', () => {
            clearTimeout(timer);
            resolve(text);
          });
          response.once('error', (error) => fail(error.message));
        });
        const timer = setTimeout(() => fail(`no answer within ${timeoutSeconds} s`), timeoutSeconds * 1000);
        request.once('error', (error) => {
          clearTimeout(timer);
          fail(error.message);
        });
      }),
    close: () => agent.destroy(),
  };
}
