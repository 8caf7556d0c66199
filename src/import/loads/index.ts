import { importCurl } from './curl.ts';
import { importHar } from './har.ts';
import type { ImportedLoad, ReadFile } from './imported-load.ts';
import { importK6 } from './k6.ts';
import { importOpenApi } from './openapi.ts';
import { importUrls, type ImportedMix, isUrlLine } from './urls.ts';

export interface ImportContext {
  /** Where the load goes; of several hosts the one that is kept. */
  readonly origin?: string;
  readonly readFile?: ReadFile;
}

/** A kind of file that becomes a load. */
export interface LoadSource {
  readonly name: string;
  /** What a file of this kind is, in a few words. */
  readonly title: string;
  /** Whether a file is of this kind, by its first 64 KiB (whole lines) and its name. */
  detects(head: string, file: string): boolean;
  /** Throws `import-invalid` with the place. */
  read(text: string, file: string, context: ImportContext): ImportedLoad | ImportedMix;
}

/** The kinds, in the order they are tried in. */
export const LOAD_SOURCES: readonly LoadSource[] = [
  {
    name: 'har',
    title: 'an HTTP Archive',
    detects: (head) => /^\uFEFF?\s*\{\s*"log"\s*:\s*\{/.test(head),
    read: (text, file, { origin }) => importHar(text, file, origin),
  },
  {
    name: 'openapi',
    title: 'an OpenAPI document',
    detects: isApiDocument,
    read: importOpenApi,
  },
  {
    name: 'k6',
    title: 'a k6 script',
    detects: (head, file) =>
      /\.[cm]?[jt]s$/i.test(file) && /(?:\bfrom|\bimport)\s*['"]k6(?:\/[\w./-]+)?['"]/.test(head),
    read: importK6,
  },
  {
    name: 'curl',
    title: 'curl commands',
    detects: (head) => /^(?:\s*(?:#.*)?\n)*\s*(?:[$%>]\s+)?(?:\S*[\\/])?curl(?:\.exe)?[ \t]/i.test(head),
    read: (text, file, context) => importCurl(text, file, context),
  },
  {
    name: 'urls',
    title: 'a list of URLs',
    detects: (head) => {
      const says = head.split('\n').map(isUrlLine);
      return says.includes(true) && !says.includes(false);
    },
    read: (text, file, { origin }) => importUrls(text, file, origin),
  },
];

/** Its version is among the first things it says; lines of a JSON log are whole objects. */
function isApiDocument(head: string): boolean {
  if (/^\uFEFF?\s*\{/.test(head))
    return /"(?:openapi|swagger)"\s*:\s*"[23]\./.test(head) && !/^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/.test(head);
  return /^["']?(?:openapi|swagger)["']?:\s*["']?[23]\./m.test(head);
}

/** The kind of a file; undefined for one that is none of them. */
export const loadSourceOf = (head: string, file: string): LoadSource | undefined =>
  head.includes('\0') ? undefined : LOAD_SOURCES.find((source) => source.detects(head, file));
