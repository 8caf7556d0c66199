/** A document of this project: what it is, and which commands take it. */
export interface DocumentKind {
  readonly what: string;
  readonly takenBy: string;
}

export const RUN_KIND: DocumentKind = {
  what: 'a run',
  takenBy: 'shipload report, analyze, explain, predict, compare, record',
};

/** Documents by their field `kind`. */
const KINDS: Readonly<Record<string, DocumentKind>> = {
  run: RUN_KIND,
  workload: { what: 'a workload', takenBy: 'shipload run, init, isolate' },
  isolation: { what: 'an isolation', takenBy: 'shipload predict' },
  prediction: {
    what: 'a prediction',
    takenBy: 'no command; shipload compare scores those kept beside a run',
  },
  comparison: { what: 'a comparison', takenBy: 'no command: it is a result' },
  report: { what: 'a report', takenBy: 'no command; shipload report takes the run it was made from' },
  explanation: { what: 'an explanation', takenBy: 'no command: it is a result' },
  baseline: { what: 'a baseline', takenBy: 'shipload compare' },
  'noise-floor': { what: 'a noise floor', takenBy: 'shipload compare, beside the runs it was measured with' },
  'machine-check': { what: 'a machine check', takenBy: 'no command: it is a result' },
  'record-document': { what: 'a load-test record', takenBy: 'no command: it is a result' },
};

/** The kind of a parsed document: by its `kind`, or that of the manifest in it; undefined for anything else. */
export function kindOfDocument(value: unknown): DocumentKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('manifest' in value) return kindOfDocument(value.manifest);
  return 'kind' in value && typeof value.kind === 'string' ? KINDS[value.kind] : undefined;
}

/** The hint where a document of this kind was given in the place of another. */
export const takenByText = ({ takenBy }: DocumentKind): string => `it is taken by: ${takenBy}`;

/** What `kindOfDocument` tells, from the first characters of a file; undefined for a log, whose lines are whole objects. */
export function kindOfText(head: string): DocumentKind | undefined {
  const kind = /^\s*\{\s*(?:"manifest"\s*:\s*\{\s*)?"kind"\s*:\s*"([a-z-]+)"/.exec(head)?.[1];
  return kind === undefined ? undefined : KINDS[kind];
}
