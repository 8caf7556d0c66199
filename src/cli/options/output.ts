import { parsePort } from '../parse-values.ts';
import { EXPORT_FORMS, parseExportTarget } from '../../export/targets.ts';
import { OF_ONE_RUN } from './applies.ts';
import { define, defineList, text } from './definition.ts';

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
  exportTo: defineList({
    flags: '--export <form=place>',
    group: 'Output',
    description: `send the metrics out while the run goes on (repeatable): ${EXPORT_FORMS.join(', ')}; prometheus=:9464 is scraped`,
    parseEach: parseExportTarget,
  }),
  to: define({
    flags: '--to <form>',
    group: 'Output',
    description: 'form of the export; after = the URL it is sent to',
    parse: text,
  }),
  github: define<boolean>({
    flags: '--github',
    applies: OF_ONE_RUN,
    group: 'Output',
    description: 'in GitHub Actions: the report as step summary, what misses as annotations',
  }),
  listen: define({
    flags: '--listen <port>',
    group: 'Output',
    description: 'port of the dashboard on 127.0.0.1; 0 takes a free one',
    parse: (value) => parsePort('--listen', value, 0),
    fallback: 7411,
  }),
} as const;
