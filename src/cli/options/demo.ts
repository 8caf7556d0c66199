import { define } from './definition.ts';

/** Options of the demonstrations. */
export const DEMO_OPTIONS = {
  cache: define<boolean>({
    flags: '--cache',
    group: 'Demo',
    description: 'start with the result cache on: must end in pass',
  }),
  full: define<boolean>({
    flags: '--full',
    group: 'Demo',
    description: 'steps of 60 s, as one would run them for real',
  }),
} as const;
