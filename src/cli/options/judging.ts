import { parseGuess } from '../../verdict/parse-guess.ts';
import { parseDuration, parseRatio } from '../parse-values.ts';
import { OF_LADDERS, OF_LOG_MIX, OF_TARGETS } from './applies.ts';
import { define, defineList, text } from './definition.ts';

/** Options about targets, and about what follows a verdict. */
export const JUDGING_OPTIONS = {
  target: defineList({
    flags: '--target <goal>',
    group: 'Judging',
    description: "a goal such as 'p95 of /search <= 200 ms at 200 users' (repeatable)",
    parseEach: text,
  }),
  margin: define({
    flags: '--margin <share>',
    applies: OF_TARGETS,
    group: 'Judging',
    description: 'how far inside its limit a figure must lie to pass',
    parse: (value) => parseRatio('--margin', value),
    fallback: 0.1,
    fallbackText: '10%',
  }),
  prediction: define({
    flags: '--prediction <guesses>',
    group: 'Judging',
    description:
      "your own guesses, shown beside reality: 'peak=1500/s, p99>200ms at 250 users, first=cpu', any of the three",
    parse: parseGuess,
  }),
  whatIf: defineList({
    flags: '--what-if <change>',
    group: 'Judging',
    description:
      "predict under a change: 'D(/search)*0.02' (its CPU), 'wait(/search)=2ms' (its time outside the CPU), 'cores=2' or 'pool=16' (repeatable)",
    parseEach: text,
  }),
  confirm: define<number | true>({
    flags: '--confirm [limit]',
    applies: OF_LOG_MIX,
    group: 'Judging',
    description: 'make the experiments that decide the findings, within this time (60s)',
    parse: (value) => parseDuration('--confirm', value),
  }),
  smoke: define<boolean>({
    flags: '--smoke',
    applies: OF_LADDERS,
    group: 'Judging',
    description: 'run the peak step only, as a test for every build',
  }),
  isolate: define<boolean>({
    flags: '--no-isolate',
    group: 'Judging',
    description: 'do not run each route alone when the run fails',
  }),
} as const;
