import { parseHar } from '../../access-log/har.ts';
import { isAsset } from '../../workload/target-kinds.ts';
import { isRecord } from '../../stats/is-record.ts';

/** One exchange of an archive, what of it matters for a load. */
export interface HarEntry {
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly page: string | undefined;
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly postData: HarPostData | undefined;
  readonly status: number;
  readonly answer: { readonly type: string; readonly text: string; readonly setsCookies: readonly string[] };
  readonly isStatic: boolean;
  /** A cache of the browser answered. */
  readonly isCached: boolean;
}

export interface HarPostData {
  readonly type: string;
  readonly text: string | undefined;
  readonly params: readonly { readonly name: string; readonly value: string; readonly fileName?: string }[];
}

export interface HarArchive {
  readonly entries: readonly HarEntry[];
  /** Titles by the id that entries name. */
  readonly pages: ReadonlyMap<string, string>;
  /** Entries that are no requests over HTTP: `data:`, `ws:`, or without what HAR 1.2 asks for. */
  readonly otherCount: number;
}

const STATIC_TYPES = new Set(['script', 'stylesheet', 'image', 'font', 'media', 'manifest', 'texttrack']);
const STATIC_CONTENT =
  /^(?:image|font|audio|video)\/|^(?:text|application)\/(?:css|(?:x-)?javascript|ecmascript)\b/i;

/** The exchanges of an archive by their start (HAR 1.2). Throws what `parseHar` throws. */
export function harEntries(text: string, file: string): HarArchive {
  const { pages, entries } = parseHar(text, file);
  const read = entries.map(entryOf);
  const known = read.filter((entry) => entry !== undefined);
  const titles = pages.flatMap((page): [string, string][] => {
    const { id, title } = isRecord(page) ? page : {};
    return typeof id === 'string' ? [[id, typeof title === 'string' ? title : id]] : [];
  });
  return {
    entries: known.toSorted((a, b) => a.startMs - b.startMs),
    pages: new Map(titles),
    otherCount: read.length - known.length,
  };
}

function entryOf(entry: unknown): HarEntry | undefined {
  if (!isRecord(entry) || !isRecord(entry['request'])) return undefined;
  const { request, response, startedDateTime, time, pageref, _resourceType: kind, _fromCache: cache } = entry;
  const { method, url: address, headers, postData } = request;
  const startMs = Date.parse(text(startedDateTime));
  const url = URL.canParse(text(address)) ? new URL(text(address)) : undefined;
  if (Number.isNaN(startMs) || url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const { status, content, headers: answerHeaders } = isRecord(response) ? response : {};
  const { mimeType, text: body, encoding } = isRecord(content) ? content : {};
  const type = text(mimeType);
  const isGet = /^get$/i.test(text(method));
  const isStaticKind =
    typeof kind === 'string' && kind !== 'other' ? STATIC_TYPES.has(kind) : STATIC_CONTENT.test(type);
  return {
    startMs,
    endMs: startMs + Math.max(0, typeof time === 'number' ? time : 0),
    page: typeof pageref === 'string' ? pageref : undefined,
    method: text(method) || 'GET',
    url,
    headers: fieldsOf(headers),
    postData: postDataOf(postData),
    status: typeof status === 'number' ? status : 0,
    answer: {
      type,
      text: encoding === undefined ? text(body) : '',
      setsCookies: fieldsOf(answerHeaders)
        .filter(([name]) => /^set-cookie$/i.test(name))
        .flatMap(([, value]) => value.split('\n'))
        .map((value) => value.split('=', 1)[0]!.trim()),
    },
    isStatic: isGet && (isStaticKind || isAsset(url.pathname)),
    isCached: cache !== undefined && cache !== null,
  };
}

function postDataOf(data: unknown): HarPostData | undefined {
  if (!isRecord(data)) return undefined;
  const params = Array.isArray(data['params']) ? (data['params'] as unknown[]) : [];
  return {
    type: text(data['mimeType']),
    text: typeof data['text'] === 'string' ? data['text'] : undefined,
    params: params.filter(isRecord).map(({ name, value, fileName }) => ({
      name: text(name),
      value: text(value),
      ...(typeof fileName === 'string' && { fileName }),
    })),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const fieldsOf = (headers: unknown): readonly (readonly [string, string])[] =>
  (Array.isArray(headers) ? (headers as unknown[]) : [])
    .filter(isRecord)
    .map(({ name, value }) => [text(name), text(value)] as const)
    .filter(([name]) => name !== '');
