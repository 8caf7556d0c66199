import type { ReportedStep } from '../../model/imported.ts';
import type { LoadKind } from '../../stats/wording.ts';
import type { SampleSink } from './sample.ts';

/** The first lines of a file: what its format is known by. */
export interface ResultHead {
  readonly lines: readonly string[];
  /** The same as one text, at most 64 KB. */
  readonly text: string;
}

/** The load that who imports knows and the file does not tell: one for each step. */
export interface GivenLoad {
  readonly kind: LoadKind;
  readonly values: readonly number[];
}

interface FormatBase {
  /** What `--format` calls it. */
  readonly name: string;
  readonly tool: string;
  /** One line for the list in help and docs. */
  readonly describe: string;
  /** What the file is known by, in words; undefined: it is not of this format. */
  detect(head: ResultHead): string | undefined;
  /** What such a file never tells. */
  readonly missing: readonly string[];
  /** What its figures mean, where that differs from ours; one sentence each. */
  readonly meaning: readonly string[];
}

/** Reads lines one by one; returns why a line was not read, undefined where it was or says nothing of interest. */
export interface LineReader {
  line(text: string, number: number): string | undefined;
}

/** A file that tells every request. It is read twice: for its times and loads, then for its requests. */
export interface SampleFormat extends FormatBase {
  readonly kind: 'samples';
  open(sink: SampleSink): LineReader;
  /** How finely its times are told, where that is coarser than a millisecond. */
  readonly clockSeconds?: number;
  /** It does not tell which requests failed. */
  readonly errorsUnknown?: boolean;
  /** Requests come at times of their own, whatever the service does. */
  readonly openLoop?: boolean;
}

/** A file in which a tool sums up its run, or several of them. */
export interface SummaryFormat extends FormatBase {
  readonly kind: 'summary';
  open(): LineReader & {
    /** What was read. Throws a `MissingFigure` where a figure is missing that a step cannot do without. */
    steps(): readonly ReportedStep[];
  };
}

/** A figure that a summary should have and does not, or not as a number. */
export class MissingFigure extends Error {}

export type ResultFormat = SampleFormat | SummaryFormat;
