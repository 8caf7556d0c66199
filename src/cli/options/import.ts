import { RESULT_FORMAT_NAMES } from '../../session/import-results.ts';
import { define, text } from './definition.ts';

/** Options about results of other tools. */
export const IMPORT_OPTIONS = {
  resultFormat: define({
    flags: '--format <name>',
    group: 'Import',
    description: `format of another tool's results (default: by content): ${RESULT_FORMAT_NAMES.join(', ')}; or a tool: k6, jtl, vegeta, oha, locust`,
    parse: text,
    fallback: 'auto',
  }),
  importFrom: define({
    flags: '--from <name>',
    group: 'Import',
    description: 'the same as --format',
    parse: text,
  }),
} as const;
