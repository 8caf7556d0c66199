import type { LoadShape } from './shape.ts';
import { steps } from './steps.ts';

export type { LoadShape, ShapeOptions } from './shape.ts';

/** Every load shape. The CLI's choices, its help and the docs derive from this list. */
export const LOAD_SHAPES: readonly LoadShape[] = [steps];
