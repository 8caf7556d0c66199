import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { bytesText, figure, percentText, secondsText } from '../stats/wording.ts';
import { serviceCounter } from './counter-window.ts';
import { driftOf } from './drift.ts';
import type { Drift, SoakSeries } from './drift.ts';

/** Shorter windows are steps of a curve; a trend in them is a matter of steady state. */
const SOAK_SECONDS = 600;

interface Watched extends SoakSeries {
  readonly text: (value: number) => string;
}

/** What drifted over a step of ten minutes or more: response time, throughput, memory, descriptors. */
export function soakNotices(measurement: StepMeasurement): Notice[] {
  if (measurement.windowSeconds < SOAK_SECONDS) return [];
  return watched(measurement).flatMap((series): Notice[] => {
    const drift = driftOf(series);
    return drift?.drifts === true ? [noticeOf(drift, series)] : [];
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
