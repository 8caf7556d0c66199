import { importTable } from '../analysis/import-table.ts';
import { ShiploadError } from '../errors.ts';
import { detectFormat, formatsNamed, type Detected } from '../import/results/detect.ts';
import { RESULT_FORMATS } from '../import/results/index.ts';
import { SampleImport } from '../import/results/read-samples.ts';
import { MissingFigure } from '../import/results/result-format.ts';
import type { GivenLoad, LineReader, SampleFormat, SummaryFormat } from '../import/results/result-format.ts';
import { requireLoads, withLoad } from '../import/results/given-load.ts';
import { asReported, sameLoads } from '../import/results/summary-notices.ts';
import { LineCount, unreadNotices } from '../import/results/unread-lines.ts';
import { BrokenJson } from '../import/results/whole-json.ts';
import type { ImportedRun, ReportedStep } from '../model/imported.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { parseJson } from './read-text.ts';
import { redactText } from './redact.ts';
import { eachLine, readResultHead, type ResultSource } from './result-lines.ts';

export interface ImportOptions {
  /** A format or a tool; `auto`, the default, is by content. */
  readonly format?: string;
  /** The load that the file does not tell, one for each of its steps. */
  readonly load?: GivenLoad;
  /** m, for a table that gives a utilisation. */
  readonly serverCount?: number;
}

/** A file of results as it was read. */
export interface ImportedResults {
  readonly imported: ImportedRun;
  readonly measurements: readonly StepMeasurement[];
}

/** What `--format` may name. */
export const RESULT_FORMAT_NAMES = [...RESULT_FORMATS.map(({ name }) => name), 'table'];

/**
 * Reads results of another tool, by the format that is named or by content; what no format knows is read as a table of
 * steps. Throws `results-invalid` (nothing that could be read, with the first line that could not), `table-invalid`,
 * or `option-invalid` for a format that is none, or loads that are more or fewer than the steps.
 */
export async function importResults(
  source: ResultSource,
  options: ImportOptions = {},
): Promise<ImportedResults> {
  const found = await formatOf(source, options.format ?? 'auto');
  if (found === undefined) return readTable(source, options);
  const { format } = found;
  return format.kind === 'samples'
    ? readSamples(source, format, found, options.load)
    : readSummary(source, format, found, options.load);
}

/** What a file was made by, by its content: one of the formats, JSON that is none of them, or other text. */
export async function sniff(source: ResultSource): Promise<'results' | 'json' | 'text'> {
  const head = await readResultHead(source);
  if (detectFormat(RESULT_FORMATS, head) !== undefined) return 'results';
  return /^\s*[{[]/.test(head.text) ? 'json' : 'text';
}

/** The format of a file; undefined: a table. */
async function formatOf(source: ResultSource, name: string): Promise<Detected | undefined> {
  if (name === 'table') return undefined;
  const head = await readResultHead(source);
  if (name === 'auto') return detectFormat(RESULT_FORMATS, head);
  const named = formatsNamed(RESULT_FORMATS, name);
  if (named.length === 0) {
    throw new ShiploadError('option-invalid', `there is no result format "${name}"`, {
      where: '--format',
      hint: `Formats: ${RESULT_FORMAT_NAMES.join(', ')}; or a tool: k6, jtl, vegeta, oha, locust`,
    });
  }
  const known = detectFormat(named, head);
  if (known !== undefined) return { ...known, detectedBy: `--format ${name}, and ${known.detectedBy}` };
  if (named.length === 1) return { format: named[0]!, detectedBy: `--format ${name}` };
  throw new ShiploadError(
    'results-invalid',
    `${source.name} is none of ${named.map((one) => one.name).join(', ')}`,
    {
      where: source.name,
      hint: `It begins: ${JSON.stringify((head.lines[0] ?? '').slice(0, 80))}`,
    },
  );
}

const common = (source: ResultSource, { format, detectedBy }: Detected) => ({
  tool: format.tool,
  format: format.name,
  detectedBy,
  files: [source.name],
  missing: format.missing,
  meaning: format.meaning,
});

async function readSamples(
  source: ResultSource,
  format: SampleFormat,
  found: Detected,
  load: GivenLoad | undefined,
): Promise<ImportedResults> {
  const samples = new SampleImport(format, load);
  if (load !== undefined) requireLoads(load, 1, source.name);
  const lines = await readLines(source, samples.surveyReader());
  if (samples.requestCount === 0) throw nothingRead(source, format.describe, lines);
  const reader = samples.stepReader();
  await readLines(source, reader);
  const { steps, notices } = reader.finish();
  const imported: ImportedRun = {
    ...common(source, found),
    lines,
    basis: 'samples',
    ...(samples.startedAt !== undefined && { startedAt: samples.startedAt }),
    notices: [...unreadNotices(lines), ...notices],
  };
  return { imported, measurements: steps };
}

async function readSummary(
  source: ResultSource,
  format: SummaryFormat,
  found: Detected,
  load: GivenLoad | undefined,
): Promise<ImportedResults> {
  const reader = format.open();
  const lines = await readLines(source, reader);
  const reported = stepsOf(source, reader);
  if (reported.length === 0) throw nothingRead(source, format.describe, lines);
  if (load !== undefined) requireLoads(load, reported.length, source.name);
  const steps = load === undefined ? reported : reported.map((step, i) => withLoad(step, load, i));
  const imported: ImportedRun = {
    ...common(source, found),
    lines,
    basis: 'summary',
    notices: [...unreadNotices(lines), ...asReported(format, steps), ...sameLoads(steps)],
    steps,
  };
  return { imported, measurements: [] };
}

function stepsOf(source: ResultSource, reader: ReturnType<SummaryFormat['open']>): readonly ReportedStep[] {
  try {
    return reader.steps();
  } catch (error) {
    if (error instanceof BrokenJson) parseJson(error.text, source.name, 'results-invalid');
    if (!(error instanceof MissingFigure)) throw error;
    throw new ShiploadError('results-invalid', `${source.name}: ${error.message}`, { where: source.name });
  }
}

async function readTable(
  source: ResultSource,
  { serverCount, load }: ImportOptions,
): Promise<ImportedResults> {
  if (load !== undefined) {
    throw new ShiploadError(
      'option-invalid',
      `${source.name} is a table of steps, which tells its loads itself`,
      {
        where: source.name,
      },
    );
  }
  const texts: string[] = [];
  await eachLine(source, (text) => void texts.push(text));
  const { rows, notices } = importTable(texts.join('\n'), {
    file: source.name,
    ...(serverCount !== undefined && { serverCount }),
  });
  const imported: ImportedRun = {
    tool: 'a table of steps',
    format: 'table',
    detectedBy: 'a header that names a load and a throughput',
    files: [source.name],
    lines: { total: texts.length, unread: 0, examples: [] },
    basis: 'table',
    missing: [],
    meaning: [],
    notices,
    rows,
  };
  return { imported, measurements: [] };
}

/** Of a line that cannot be read, so much is looked through for secrets and shown. */
const SHOWN_CHARACTERS = 120;

async function readLines(source: ResultSource, reader: LineReader): Promise<ImportedRun['lines']> {
  const count = new LineCount();
  let number = 0;
  await eachLine(source, (text, isCut) => {
    number += 1;
    if (text === '') return count.read();
    const reason = isCut ? 'longer than a megabyte' : reader.line(text, number);
    if (reason === undefined) count.read();
    else count.unread(redactText(text.slice(0, SHOWN_CHARACTERS)), reason);
  });
  return count.counts;
}

function nothingRead(
  source: ResultSource,
  expected: string,
  { examples }: ImportedRun['lines'],
): ShiploadError {
  const [first] = examples;
  const seen =
    first === undefined
      ? 'it holds no request'
      : `${first.reason}: ${JSON.stringify(first.text.slice(0, 80))}`;
  return new ShiploadError('results-invalid', `no request could be read (${expected}): ${seen}`, {
    where: first === undefined ? source.name : `${source.name}:${first.line}`,
    hint: `Another format? --format takes ${RESULT_FORMAT_NAMES.join(', ')}.`,
  });
}
