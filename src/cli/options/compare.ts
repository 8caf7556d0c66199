import { defineList, text } from './definition.ts';

/** Options of comparisons. */
export const COMPARE_OPTIONS = {
  before: defineList({
    flags: '--before <runs...>',
    group: 'Compare',
    description: 'runs before the change, several for a tested difference',
    parseEach: text,
  }),
  after: defineList({
    flags: '--after <runs...>',
    group: 'Compare',
    description: 'runs after the change; interleave them with those before',
    parseEach: text,
  }),
} as const;
