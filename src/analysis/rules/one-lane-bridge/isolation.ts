import type { Evidence, StepRow } from '../../../model/analysis.ts';
import { loadText, percentText, secondsText } from '../../../stats/wording.ts';
import type { DiagnosisInput } from '../rule.ts';
import { busyRatioOf } from './pairs.ts';
import type { Pair } from './pairs.ts';

/** The fast route's p95 must shrink by this factor once the slow route is left out. */
const GONE_FACTOR = 3;

/** What the isolated runs say: is the fast route's high p95 gone without the slow one? */
export interface IsolationReading {
  /** `open`: the fast route was not run alone, or its p95 in the mix is not known. */
  readonly verdict: 'gone' | 'stays' | 'open';
  readonly evidence: readonly Evidence[];
}

/**
 * Compares the fast route's p95 alone with its highest in the mix below 50 % utilisation (in its lightest step, where
 * there is none): gone below a third of it.
 */
export function readIsolation(pair: Pair, input: DiagnosisInput): IsolationReading {
  const alone = input.isolation?.routes.find(({ route }) => route === pair.fast);
  const steps = pair.lowSteps.length > 0 ? pair.lowSteps : lightest(pair, input);
  const mixed = steps.flatMap((row) => {
    const p95Seconds = row.byRoute[pair.fast]?.p95Seconds;
    return p95Seconds === undefined ? [] : [{ row, p95Seconds }];
  });
  if (alone === undefined || mixed.length === 0) return { verdict: 'open', evidence: [] };
  const highest = mixed.reduce((best, one) => (one.p95Seconds > best.p95Seconds ? one : best));
  const verdict = alone.p95Seconds * GONE_FACTOR <= highest.p95Seconds ? 'gone' : 'stays';
  const text = `${pair.fast} without ${pair.slow}: p95 ${secondsText(alone.p95Seconds)}, in the mix up to ${secondsText(highest.p95Seconds)} at ${loadText(highest.row)} (${percentText(busyRatioOf(highest.row, input))} busy)`;
  const evidence = [
    { quantity: `isolated p95Seconds ${pair.fast}`, value: alone.p95Seconds, unit: 'seconds', text },
  ];
  return { verdict, evidence };
}

const lightest = ({ steps }: Pair, input: DiagnosisInput): StepRow[] =>
  [...steps].sort((a, b) => busyRatioOf(a, input) - busyRatioOf(b, input)).slice(0, 1);
