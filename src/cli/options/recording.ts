import { markSecret } from '../../host/secret-values.ts';
import { parseCount } from '../parse-values.ts';
import { OF_DRAWS, OF_WRITTEN } from './applies.ts';
import { define, defineList, text } from './definition.ts';

/** Options about what is written down. */
export const RECORDING_OPTIONS = {
  samples: define<boolean>({
    flags: '--samples',
    group: 'Recording',
    description: 'write one row a request to requests.csv',
  }),
  seed: define({
    flags: '--seed <n>',
    applies: OF_DRAWS,
    group: 'Recording',
    description: 'seed of all random draws',
    parse: (value) => parseCount('--seed', value, 0),
    fallback: 7,
  }),
  dryRun: define<boolean>({
    flags: '--dry-run',
    group: 'Recording',
    description: 'send nothing: print the steps, and the requests of the first user',
  }),
  label: define({
    flags: '--label <name>',
    group: 'Recording',
    description: 'name of the run, and of its folder runs/<name> where -o names no other',
    parse: text,
  }),
  secret: defineList<string>({
    flags: '--secret <value>',
    group: 'Recording',
    description: 'show and store this value nowhere; ${NAME} is an environment variable (repeatable)',
    // Marked while the command line is read, so that no message about the rest of it shows the value.
    parseEach: (value) => markSecret(value, '--secret'),
  }),
  out: define({
    flags: '-o, --out <path>',
    applies: OF_WRITTEN,
    group: 'Recording',
    description: 'run folder or file to write',
    parse: text,
  }),
} as const;
