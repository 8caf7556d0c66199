import { parseCount } from '../parse-values.ts';
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
  listen: define({
    flags: '--listen <port>',
    group: 'Output',
    description: 'port of the dashboard on 127.0.0.1; 0 takes a free one',
    parse: (value) => parseCount('--listen', value, 0),
    fallback: 7411,
  }),
} as const;
