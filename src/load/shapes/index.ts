import { ramp } from './ramp.ts';
import { rate } from './rate.ts';
import { search } from './search.ts';
import type { LoadShape } from './shape.ts';
import { soak } from './soak.ts';
import { spike } from './spike.ts';
import { steps } from './steps.ts';
import { stress } from './stress.ts';
import { sweep } from './sweep.ts';

export type { GrowthOptions, LoadShape, ShapeOptions } from './shape.ts';

/** Every load shape. The CLI's choices, its help and the docs derive from this list. */
export const LOAD_SHAPES: readonly LoadShape[] = [steps, sweep, rate, ramp, stress, soak, spike, search];

/** What --shape takes: the shapes, and the log as it is, which is no shape of its own. */
export const SHAPE_NAMES: readonly string[] = [...LOAD_SHAPES.map(({ name }) => name), 'replay'];
