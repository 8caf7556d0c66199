import { parseCount, parseErrorStop, parsePositive, parseUntil, parseUrl } from '../parse-values.ts';
import { OF_PERMISSION } from './applies.ts';
import { define } from './definition.ts';

/** Options that keep a load where it belongs, and small enough. */
export const SAFETY_OPTIONS = {
  maxUsers: define({
    flags: '--max-users <n>',
    group: 'Safety',
    description: 'no step may have more users (default: 20000 on this machine, 1000 elsewhere)',
    parse: (value) => parseCount('--max-users', value),
  }),
  maxRate: define({
    flags: '--max-rate <n>',
    group: 'Safety',
    description:
      'no more requests a second leave, whatever the load asks (default: 200000 on this machine, 1000 elsewhere)',
    parse: (value) => parsePositive('--max-rate', value),
  }),
  stopOnErrors: define({
    flags: '--stop-on-errors <share>',
    group: 'Safety',
    description:
      'end the run when more of the requests fail: 50%, 30%:5s (over 5 s), or off (default: 50%:10s)',
    parse: (value) => parseErrorStop('--stop-on-errors', value),
  }),
  allowedRate: define({
    flags: '--rate <n>',
    applies: OF_PERMISSION,
    group: 'Safety',
    description: 'requests a second that may go there at most',
    parse: (value) => parsePositive('--rate', value),
  }),
  until: define({
    flags: '--until <date>',
    applies: OF_PERMISSION,
    group: 'Safety',
    description: 'last day (2027-01-31), moment (ISO 8601) or time from now (8h) at which load may go there',
    parse: (value) => parseUntil('--until', value, Date.now()),
  }),
  revoke: define<boolean>({
    flags: '--revoke',
    group: 'Safety',
    description: 'take back what was permitted for URL, by allow or by init --own',
  }),
  own: define({
    flags: '--own <url>',
    group: 'Safety',
    description: 'a token that proves a service on another machine yours, and where to put it',
    parse: (value) => parseUrl('--own', value),
  }),
} as const;
