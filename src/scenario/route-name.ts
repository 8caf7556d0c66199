const NUMBER = /^\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{12,}$/i;
/** What a rehearsal puts where a value of an answer will stand; no path of a service has braces (RFC 3986). */
const PLACEHOLDER = /^(?:\{|%7B).*(?:\}|%7D)$/i;

const REMEMBERED = new Map<string, string>();
const MOST_REMEMBERED = 10_000;

/** The route a target is counted under where the scenario names none: its path, with numbers and ids as `[id]`. */
export function routeName(target: string): string {
  const known = REMEMBERED.get(target);
  if (known !== undefined) return known;
  const path = target.split(/[?#]/, 1)[0]!;
  const route = path
    .split('/')
    .map((part) =>
      NUMBER.test(part) || UUID.test(part) || HEX.test(part) || PLACEHOLDER.test(part) ? '[id]' : part,
    )
    .join('/');
  if (REMEMBERED.size < MOST_REMEMBERED) REMEMBERED.set(target, route);
  return route;
}
