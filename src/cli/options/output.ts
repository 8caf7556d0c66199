import { define, text } from './definition.ts';

/** Options about what is shown. */
export const OUTPUT_OPTIONS = {
  as: define({
    flags: '--as <name>',
    group: 'Output',
    description: 'form of the report',
    parse: text,
    fallback: 'text',
  }),
  fix: define({
    flags: '--fix <text>',
    group: 'Output',
    description: 'what was changed between the runs, for the record',
    parse: text,
  }),
} as const;
