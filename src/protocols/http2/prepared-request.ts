import type { PlannedRequest } from '../../model/load.ts';
import { requestFields } from '../request-fields.ts';

/** One class of requests as HTTP/2 carries it. */
export interface PreparedHttp2Request {
  /** Pseudo-fields but for the path, and fields, names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Fields of one connection, which HTTP/2 has no room for (RFC 9113 §8.2.2). */
const CONNECTION_FIELDS = ['connection', 'keep-alive', 'proxy-connection', 'te'];

/**
 * Lays out a request (RFC 9113 §8.3.1). A Host field of the caller becomes `:authority`.
 * @throws ShiploadError `option-invalid` for a field or method that HTTP cannot carry.
 */
export function prepareHttp2Request(
  request: PlannedRequest,
  scheme: 'http' | 'https',
  authority: string,
  runHeaders: Readonly<Record<string, string>>,
): PreparedHttp2Request {
  const fields = requestFields(request, runHeaders);
  const host = fields.get('host')?.value ?? authority;
  for (const name of ['host', ...CONNECTION_FIELDS]) fields.delete(name);
  return {
    fields: {
      ':method': request.method,
      ':scheme': scheme,
      ':authority': host,
      ...Object.fromEntries(Array.from(fields, ([name, { value }]) => [name, value])),
    },
    body: request.body === undefined || request.body === '' ? undefined : Buffer.from(request.body, 'utf8'),
  };
}
