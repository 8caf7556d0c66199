import type { HarEntry, HarPostData } from './har-entries.ts';
import {
  type ImportedBody,
  type ImportedPart,
  type ImportedRequest,
  methodOf,
  MOST_BODY_CHARACTERS,
} from './imported-load.ts';
import { keptHeaders } from './kept-headers.ts';
import type { Secrets } from './secrets.ts';

/** A recorded request as it is sent, its secrets named; what it loses is noted. */
export function requestOf(entry: HarEntry, secrets: Secrets, notes: string[]): ImportedRequest {
  const { url, headers, postData, status } = entry;
  const body =
    postData === undefined ? undefined : bodyOf(postData, secrets, `${entry.method} ${url.pathname}`, notes);
  const name = operationOf(postData, url.pathname);
  return {
    method: methodOf(entry.method) ?? 'GET',
    target: secrets.target(url.pathname + url.search),
    ...(name !== undefined && { name }),
    headers: keptHeaders(withType(headers, postData), secrets, body?.kind),
    ...(body !== undefined && { body }),
    ...(status >= 400 && { status }),
  };
}

/** Recorders that hide fields still say of what type a body was. */
function withType(headers: HarEntry['headers'], postData: HarPostData | undefined): HarEntry['headers'] {
  const { type = '', text = '' } = postData ?? {};
  const isSaid = headers.some(([name]) => /^content-type$/i.test(name));
  return isSaid || type === '' || text === '' ? headers : [...headers, ['Content-Type', type]];
}

function bodyOf(
  data: HarPostData,
  secrets: Secrets,
  what: string,
  notes: string[],
): ImportedBody | undefined {
  const { type, text, params } = data;
  if (text !== undefined && text.length > MOST_BODY_CHARACTERS) {
    notes.push(`${what}: its body of ${text.length} characters is too long for a scenario and left out.`);
    return undefined;
  }
  if (text !== undefined && text !== '') return secrets.body(text, type);
  if (params.length === 0) return undefined;
  if (!/multipart/i.test(type)) {
    const pairs = params.map(({ name, value }): [string, string] => [name, value]);
    return secrets.body(new URLSearchParams(pairs).toString(), 'application/x-www-form-urlencoded');
  }
  const parts = params.map(({ name, value, fileName }): ImportedPart => {
    if (fileName === undefined) return { name, value: secrets.member(name, value) };
    if (value === '')
      notes.push(`${what}: the archive does not hold the file ${fileName}; an empty one is sent.`);
    return { name, filename: fileName, content: value };
  });
  return { kind: 'multipart', parts };
}

/** GraphQL sends all to one path; what is asked for is its name. */
function operationOf(data: HarPostData | undefined, path: string): string | undefined {
  const name = /"operationName"\s*:\s*"([\w-]{1,80})"/.exec(data?.text?.slice(0, 100_000) ?? '')?.[1];
  return name === undefined ? undefined : `${path}:${name}`;
}
