import type { Random } from '../../stats/random.ts';

export interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly priceCents: number;
}

const NOUNS =
  `anchor apple archive arrow autumn balance beacon bridge cache candle canyon castle cellar circle
  city clock cloud coast compass copper coral corner cottage country crane crossing crystal current dawn desert
  diamond distance dream echo ember empire engine evening falcon feather fence ferry field fire forest fortune
  fountain frontier garden gate ghost glacier glass grammar gravity harbor harvest heart hill horizon hour house
  island journey kernel kingdom ladder lake lamp lantern language lemon letter library lighthouse line logic
  machine map marble market meadow memory mill mirror moon morning mountain museum music needle network night
  north number oak ocean orchard orbit paper pattern people piano pilot planet pocket poem promise python queue
  rain raven reason ribbon river road rope rose salt sand season secret shadow shore signal silence silver sky
  smoke snow song south spring star station stone storm story stranger street summer table theory thread tide
  tower train tree valley village voice voyage water wheel willow wind window winter wire wolf word world year`
    .trim()
    .split(/\s+/);

const ADJECTIVES =
  `ancient bitter blue bright broken distant early empty endless faithful final first forgotten
  gentle golden green hidden hollow last little long lost narrow northern old open patient pale perfect quiet
  red restless second secret slow small southern still sudden sweet tall tender third wandering white wild young`
    .trim()
    .split(/\s+/);

const FIRST_NAMES = `Ada Amos Anna Arthur Astrid Boris Clara David Edith Elena Emil Esther Felix Flora George
  Grace Hanna Henry Ida Igor Ines Jonas Julia Karl Laura Leo Lucia Magda Marco Maria Martin Mira Nora Oscar Paula
  Pedro Rosa Ruth Samuel Simon Sofia Stella Tariq Thomas Vera Victor Walter Yusuf Zelda Zoe`
  .trim()
  .split(/\s+/);

const LAST_NAMES = `Abbott Adler Bauer Becker Bell Berg Blake Brandt Carter Castro Conti Costa Dahl Dietrich
  Doyle Duarte Ellis Engel Ferrari Fischer Flynn Garcia Grant Gruber Hansen Hardy Hoffman Holm Ibsen Ivanov Jansen
  Keller Kovacs Lang Larsen Lindgren Lopez Marsh Mendes Meyer Moreau Moretti Nilsson Novak Okafor Olsen Ortiz
  Palmer Petrov Quinn Ramos Richter Romano Sato Schmidt Silva Stone Tanaka Torres Vargas Vogel Weber Wright Young`
  .trim()
  .split(/\s+/);

/**
 * Draws the book with this id: a title of one or two nouns out of some 160, so that a noun stands in about one
 * title of a hundred.
 */
export function drawBook(id: number, random: Random): Book {
  const upTo = (count: number): number => Math.floor(random.next() * count);
  const one = (words: readonly string[]): string => words[upTo(words.length)]!;
  const noun = (): string => capital(one(NOUNS));
  const adjective = (): string => capital(one(ADJECTIVES));
  const titles = [
    () => `The ${adjective()} ${noun()}`,
    () => `${noun()} and ${noun()}`,
    () => `${noun()} of the ${noun()}`,
    () => `A ${adjective()} ${noun()}`,
    () => `${noun()}, ${noun()}`,
  ];
  return {
    id,
    title: titles[upTo(titles.length)]!(),
    author: `${one(FIRST_NAMES)} ${one(LAST_NAMES)}`,
    year: 1900 + upTo(125),
    priceCents: 499 + 10 * upTo(950),
  };
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);
