import type { Evidence } from '../../../model/analysis.ts';
import { secondsText } from '../../../stats/wording.ts';
import type { DiagnosisInput } from '../rule.ts';
import type { Pair } from './pairs.ts';

/** The fast route's p95 must shrink by this factor once the slow route is left out. */
const GONE_FACTOR = 3;

/** What the isolated runs say: is the fast route's high p95 gone without the slow one? */
export interface IsolationReading {
  /** `open`: the fast route was not run alone, or its p95 in the mix is not known. */
  readonly verdict: 'gone' | 'stays' | 'open';
  readonly evidence: readonly Evidence[];
}

/** Compares the fast route's p95 alone with its highest at a low step of the mix: gone below a third of it. */
export function readIsolation(pair: Pair, input: DiagnosisInput): IsolationReading {
  const alone = input.isolation?.routes.find(({ route }) => route === pair.fast);
  const mixed = pair.steps
    .map((row) => row.byRoute[pair.fast]?.p95Seconds)
    .filter((value) => value !== undefined);
  if (alone === undefined || mixed.length === 0) return { verdict: 'open', evidence: [] };
  const highest = Math.max(...mixed);
  const verdict = alone.p95Seconds * GONE_FACTOR <= highest ? 'gone' : 'stays';
  const text = `${pair.fast} without ${pair.slow}: p95 ${secondsText(alone.p95Seconds)}, in the mix up to ${secondsText(highest)} at low utilisation`;
  const evidence = [
    { quantity: `isolated p95Seconds ${pair.fast}`, value: alone.p95Seconds, unit: 'seconds', text },
  ];
  return { verdict, evidence };
}
