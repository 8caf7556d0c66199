import { ShiploadError } from '../errors.ts';
import type { Guess } from '../model/guess.ts';

const EXAMPLE = 'peak=1500/s, p99>200ms at 250 users, first=cpu';
const SECONDS_PER: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1 };

type Part = Omit<Guess, 'text'>;

/** The three guesses and how each is written. */
const FORMS: readonly { readonly pattern: RegExp; readonly read: (match: RegExpExecArray) => Part }[] = [
  {
    pattern: /^peak\s*=\s*(\d+(?:\.\d+)?)\s*(?:\/s)?$/i,
    read: ([, rate]) => ({ peakPerSecond: Number(rate) }),
  },
  {
    pattern:
      /^(p50|p95|p99)(?:\s+of\s+(\S+))?\s*>\s*(\d+(?:\.\d+)?)\s*(us|ms|s)\s+at\s+(\d+(?:\.\d+)?)\s*(?:users?|workers?|\/s)?$/i,
    read: ([, percentile, route, limit, unit, load]) => ({
      crossing: {
        percentile: percentile!.toLowerCase() as NonNullable<Guess['crossing']>['percentile'],
        ...(route !== undefined && { route }),
        limitSeconds: Number(limit) * SECONDS_PER[unit!.toLowerCase()]!,
        load: Number(load),
      },
    }),
  },
  { pattern: /^first\s*=\s*([\w-]+)$/, read: ([, firstResource]) => ({ firstResource: firstResource! }) },
];

/**
 * A person's guesses before a run, one to three of: the peak throughput, the load where a percentile goes above a
 * limit, the resource that gives out first. Throws `option-invalid` for what is none of them, or given twice.
 */
export function parseGuess(text: string): Guess {
  let guess: Guess = { text };
  for (const part of text.split(',').map((one) => one.trim())) {
    const read = FORMS.flatMap(({ pattern, read: readMatch }) => {
      const match = pattern.exec(part);
      return match === null ? [] : [readMatch(match)];
    })[0];
    if (read === undefined) throw refusal(`"${part}" is no guess at a peak, a limit or a resource`);
    const [key] = Object.keys(read) as [keyof Part];
    if (guess[key] !== undefined) throw refusal(`"${part}" guesses the same for the second time`);
    guess = { ...guess, ...read };
  }
  const zero = [guess.peakPerSecond, guess.crossing?.load, guess.crossing?.limitSeconds].includes(0);
  if (zero) throw refusal('a guess of 0 is none');
  return guess;
}

const refusal = (message: string): ShiploadError =>
  new ShiploadError('option-invalid', `--prediction: ${message}`, {
    where: '--prediction',
    hint: `For example: --prediction '${EXAMPLE}'`,
  });
