import type { Distribution } from '../model/distribution.ts';
import { secondsOf, thinkTimeOf } from '../stats/duration-text.ts';
import { wrong } from './require-scenario.ts';
import type { ThinkTime } from './types.ts';
import { shown } from './values.ts';

/** The think time of a scenario's field. Throws `scenario-invalid`. */
export function thinkTimeFrom(where: string, time: ThinkTime): Distribution {
  const text = typeof time === 'number' && Number.isFinite(time) ? `${time}s` : time;
  const distribution = typeof text === 'string' ? thinkTimeOf(text) : undefined;
  if (distribution !== undefined) return distribution;
  throw wrong(where, `${shown(time)} is no think time such as 2, '2s', '1s..3s' or 'exp:2s'`);
}

/** Seconds of a scenario's field. Throws `scenario-invalid`. */
export function secondsFrom(where: string, time: number | string, allowZero = false): number {
  const seconds = typeof time === 'string' ? secondsOf(time) : time;
  if (Number.isFinite(seconds) && (seconds > 0 || (allowZero && seconds === 0))) return seconds;
  throw wrong(where, `${shown(time)} is no duration such as 60, '60s' or '500ms'`);
}
