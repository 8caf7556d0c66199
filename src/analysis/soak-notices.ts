import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { bytesText, figure, percentText, secondsText } from '../stats/wording.ts';
import { serviceCounter } from './counter-window.ts';
import { driftOf } from './drift.ts';
import type { Drift, SoakSeries } from './drift.ts';

/** Shorter windows are steps of a curve; a trend in them is a matter of steady state. */
const SOAK_SECONDS = 600;

interface Watched extends SoakSeries {
  /** A rise is none of a soak's worries. */
  readonly isBetterHigh?: true;
  readonly text: (value: number) => string;
}

/** A fall of the hit ratio, in points, that is worth a word: each lost hit costs the full demand again. */
const HIT_RATIO_FALL = 0.05;

/**
 * What drifted over a step of ten minutes or more: response time, throughput, memory, descriptors, places of a pool, and
 * the hit ratio of a cache, where it fell.
 */
export function soakNotices(measurement: StepMeasurement): Notice[] {
  if (measurement.windowSeconds < SOAK_SECONDS) return [];
  return watched(measurement).flatMap((series): Notice[] => {
    const drift = driftOf(series);
    return drift?.drifts === true && !(series.isBetterHigh === true && drift.rise > 0)
      ? [noticeOf(drift, series)]
      : [];
  });
}

function watched(measurement: StepMeasurement): Watched[] {
  const { slices } = measurement;
  const gauge = (quantity: string, name: string, text: Watched['text'], leastRise: number): Watched[] => {
    const series = serviceCounter(measurement, quantity);
    if (series === undefined) return [];
    const limit = series.capacity === undefined ? {} : { limit: series.capacity };
    return [{ quantity: name, read: 'lowest', points: series.points, text, leastRise, ...limit }];
  };
  return [
    {
      quantity: 'response time',
      read: 'median',
      points: slices.flatMap(({ atSeconds, meanResponseTimeSeconds: value }) =>
        value === undefined ? [] : [[atSeconds, value] as const],
      ),
      text: secondsText,
    },
    {
      quantity: 'throughput',
      read: 'median',
      points: slices.map((slice) => [slice.atSeconds, slice.okCount / slice.durationSeconds] as const),
      text: (value) => `${figure(value)}/s`,
    },
    ...gauge('rssBytes', 'memory', bytesText, 0),
    ...gauge('descriptorCount', 'open descriptors', figure, 10),
    ...gauge('poolInUse', 'number of pool places in use', figure, 2),
    ...hitRatio(measurement),
  ];
}

/** The share of hits between one sample of the cache's counts and the next; none where nothing was asked of it. */
function hitRatio(measurement: StepMeasurement): Watched[] {
  const [hits, misses] = ['cacheHitCount', 'cacheMissCount'].map(
    (quantity) => serviceCounter(measurement, quantity)?.points ?? [],
  );
  const points = hits!.slice(1).flatMap(([atSeconds, hitCount], i) => {
    const [one, other] = [hitCount - hits![i]![1], (misses![i + 1]?.[1] ?? 0) - (misses![i]?.[1] ?? 0)];
    // A counter that went back was reset.
    return one >= 0 && other >= 0 && one + other > 0 ? [[atSeconds, one / (one + other)] as const] : [];
  });
  if (misses!.length !== hits!.length) return [];
  return [
    {
      quantity: 'hit ratio of the cache',
      read: 'median',
      points,
      text: percentText,
      leastRise: HIT_RATIO_FALL,
      isBetterHigh: true,
    },
  ];
}

function noticeOf(drift: Drift, { text, read }: Watched): Notice {
  const { quantity, rise, riseRatio, slopeInterval, shape, secondsToLimit } = drift;
  const verb = rise > 0 ? 'rose' : 'fell';
  const [low, high] = slopeInterval.map((slope) => text(slope * 3600));
  const shapes = {
    leak: '; it grows on as at the beginning, as a leak does',
    fill: '; it levels off, as a cache that fills does',
    unclear: '; whether it levels off cannot be told yet',
  };
  const limit =
    secondsToLimit === undefined || shape === 'fill'
      ? ''
      : `; at this slope its limit is reached in ${figure(secondsToLimit.expected / 3600)} h`;
  return {
    code: shape === 'leak' && read === 'lowest' ? 'soak-leak' : 'soak-drift',
    severity: shape === 'fill' ? 'info' : 'warning',
    message: `the ${quantity} ${verb} by ${text(Math.abs(rise))} (${percentText(Math.abs(riseRatio))}) over the window, ${low} to ${high} an hour${shape === undefined || read === 'median' ? '' : shapes[shape]}${limit}`,
    advice:
      'run it again, longer or with twice the load: a leak by request doubles, a cache that fills does not repeat',
  };
}
