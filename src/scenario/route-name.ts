import { remembered } from '../stats/remembered.ts';

const NUMBER = /^\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{12,}$/i;
/** What a rehearsal puts where a value of an answer will stand; no path of a service has braces (RFC 3986). */
const PLACEHOLDER = /^(?:\{|%7B).*(?:\}|%7D)$/i;

/** The route a target is counted under where the scenario names none: its path, with numbers and ids as `[id]`. */
export const routeName = remembered((target) =>
  target
    .split(/[?#]/, 1)[0]!
    .split('/')
    .map((part) =>
      NUMBER.test(part) || UUID.test(part) || HEX.test(part) || PLACEHOLDER.test(part) ? '[id]' : part,
    )
    .join('/'),
);
