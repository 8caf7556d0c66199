import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { percentText } from '../stats/wording.ts';

/** A journey that breaks off sends less than was described: above this share the load was another one. */
const MOST_FAILED_RATIO = 0.5;
/** A share that is worth a word, as for requests. */
const FEW_FAILED_RATIO = 0.01;

/** Journeys of a step that threw: worth a word above 1 %, a red flag where most of them did. */
export function journeyNotices({ scenario }: Pick<StepMeasurement, 'scenario'>): Notice[] {
  const journeys = (scenario?.parts ?? []).filter(({ kind }) => kind === 'journey');
  return journeys.flatMap(({ name, endedCount, failedCount }) => {
    const ratio = endedCount === 0 ? 0 : failedCount / endedCount;
    if (ratio <= FEW_FAILED_RATIO) return [];
    const isMost = ratio > MOST_FAILED_RATIO;
    return [
      {
        code: 'journeys-broke-off',
        severity: isMost ? 'red-flag' : 'warning',
        message: `${percentText(ratio)} of the journeys ${name} broke off: what they would have sent was not sent`,
        advice: 'see what they threw, mend the scenario or the service, and run again',
      } as const,
    ];
  });
}
