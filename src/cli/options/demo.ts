import { parseChoice } from '../parse-values.ts';
import { OF_CATALOGUE, OF_PACED_DEMOS, OF_ZOO_MEMBER } from './applies.ts';
import { define } from './definition.ts';

const VARIANTS = ['on', 'off', 'twin'] as const;

/** Options of the demonstrations. */
export const DEMO_OPTIONS = {
  cache: define<boolean>({
    flags: '--cache',
    applies: OF_CATALOGUE,
    group: 'Demo',
    description: 'start with the result cache on: must end in pass',
  }),
  full: define<boolean>({
    flags: '--full',
    applies: OF_PACED_DEMOS,
    group: 'Demo',
    description: 'steps of 60 s, as one would run them for real',
  }),
  variant: define<'on' | 'off' | 'twin'>({
    flags: '--variant <name>',
    applies: OF_ZOO_MEMBER,
    group: 'Demo',
    description: 'of a member of the zoo: on (with its fault), off (without it) or twin (its near miss)',
    parse: (value) => parseChoice('--variant', value, VARIANTS),
    words: VARIANTS,
    fallback: 'on',
  }),
} as const;
