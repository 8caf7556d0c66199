import { createRandom, mixSeed } from '../../stats/random.ts';

const LETTERS = 'bcdfghjklmnpqrstvwxz';
const NAME_LENGTH = 7;

/** Two paths that say nothing, drawn from a seed: no rule can go by their names. */
export function routeNames(seed: number): readonly [string, string] {
  const random = createRandom(mixSeed(seed, 1));
  const draw = (): string =>
    `/${Array.from({ length: NAME_LENGTH }, () => LETTERS[Math.floor(random.next() * LETTERS.length)]).join('')}`;
  return [draw(), draw()];
}
