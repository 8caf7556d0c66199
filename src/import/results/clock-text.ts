const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i;

/** Seconds since the epoch of an RFC 3339 time, to the last digit it gives; NaN for anything else. */
export function epochSeconds(text: string): number {
  const match = RFC3339.exec(text);
  if (match === null) return NaN;
  const [, whole, fraction = '', zone] = match;
  const milliseconds = Date.parse(`${whole!}${zone!.toUpperCase()}`);
  return milliseconds / 1000 + (fraction === '' ? 0 : Number(`0${fraction}`));
}

/** Seconds of `6.60ms`, `1.05s`, `12.50us`, `2m`, `1h`; NaN for anything else. */
export function durationSeconds(text: string): number {
  const match = /^([\d.]+)\s*(us|µs|ms|s|m|h)$/.exec(text.trim());
  if (match === null) return NaN;
  const unit = { us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }[match[2]!]!;
  return Number(match[1]) * unit;
}
