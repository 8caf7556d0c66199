/** Where one number of a report comes from: what `explain` prints with `--json`. */
export interface Explanation {
  /** `steps[5].throughputPerSecond`. */
  readonly field: string;
  /** As in the report document: SI units, not rounded. */
  readonly value: number | string | boolean | readonly number[];
  readonly meaning: string;
  readonly formula?: string;
  /** Why the run has no such figure; `value` is then a word such as `not seen`. */
  readonly reason?: string;
  readonly inputs: readonly { readonly field: string; readonly value: Explanation['value'] }[];
  /** T of the step it belongs to. */
  readonly windowSeconds?: number;
  /** Requests behind it; of the knee and the fits, valid steps. */
  readonly sampleCount?: number;
  /** A percentile with fewer than ten samples beyond it: the `?` of the step table. */
  readonly isDoubtful?: true;
  readonly source: string;
}
