import type { Distribution } from '../model/distribution.ts';

const SECONDS_PER: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, min: 60, h: 3600 };

/** Seconds of `60s`, `500ms`, `15m`, `1h`; a bare number is seconds. NaN for what is no duration. */
export function secondsOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(us|ms|s|min|m|h)?$/.exec(text.trim());
  return match === null ? Number.NaN : Number(match[1]) * SECONDS_PER[match[2] ?? 's']!;
}

/** `2s` (constant), `1s..3s` (uniform), or `exp:2s` (exponential); undefined for what is none of them. */
export function thinkTimeOf(text: string): Distribution | undefined {
  if (text.startsWith('exp:')) {
    const meanSeconds = secondsOf(text.slice(4));
    return meanSeconds > 0 ? { kind: 'exponential', meanSeconds } : undefined;
  }
  const [low, high] = text.split('..');
  const minSeconds = secondsOf(low!);
  if (high === undefined) return minSeconds > 0 ? { kind: 'constant', meanSeconds: minSeconds } : undefined;
  const maxSeconds = secondsOf(high);
  if (!(minSeconds >= 0 && maxSeconds > 0 && maxSeconds >= minSeconds)) return undefined;
  return { kind: 'uniform', meanSeconds: (minSeconds + maxSeconds) / 2, minSeconds, maxSeconds };
}
