import { ShiploadError } from '../errors.ts';
import { LOAD_SHAPES } from '../load/shapes/index.ts';
import type { LoadKind } from '../stats/wording.ts';
import type { OptionValues } from './options/index.ts';

/** The load that options ask for. */
export interface AskedLoad {
  readonly shape: string;
  /** What the loads count; missing: a replay, or a shape that is not known. */
  readonly loadKind?: LoadKind;
  /** Missing: none are given. */
  readonly loads?: readonly number[];
}

/** The three ways to give loads, what they count, and the shape they ask for where none is named. */
const WAYS = [
  { name: 'users', loadKind: 'users', shape: 'steps' },
  { name: 'concurrency', loadKind: 'concurrency', shape: 'sweep' },
  { name: 'rate', loadKind: 'arrivalRatePerSecond', shape: 'rate' },
] as const;

/** Throws `option-invalid` where the load is given in several ways. */
export function askedLoad(options: OptionValues, usualShape: string): AskedLoad {
  const [way, ...others] = WAYS.filter(({ name }) => options[name] !== undefined);
  if (others.length > 0) {
    throw new ShiploadError(
      'option-invalid',
      '--users, -c and --rate give the load in three ways; give one',
      {
        where: '--users, -c, --rate',
      },
    );
  }
  if (way !== undefined)
    return { shape: options.shape ?? way.shape, loadKind: way.loadKind, loads: options[way.name]! };
  const shape = options.shape ?? usualShape;
  const [loadKind] = LOAD_SHAPES.find(({ name }) => name === shape)?.loadKinds ?? [];
  return { shape, ...(loadKind !== undefined && { loadKind }) };
}
