/** Where a figure of the report document comes from. Inputs are paths beside it, or from the top with a leading `/`. */
export interface FieldRule {
  readonly meaning: string;
  readonly formula?: string;
  readonly inputs?: readonly string[];
  readonly source: string;
}

export const rule = (
  meaning: string,
  source: string,
  more: Pick<FieldRule, 'formula' | 'inputs'> = {},
): FieldRule => ({ meaning, source, ...more });

/** The source of what the user said, or left to the defaults. */
export const GIVEN = 'given with the run, or its default';
