/** A load that is too low is followed by one so many times higher. */
export const STEP_FACTOR = 1.5;

/** The next load up; users and workers are whole. */
export const stepUp = (load: number, isCount: boolean): number =>
  isCount ? Math.max(load + 1, Math.round(load * STEP_FACTOR)) : load * STEP_FACTOR;
