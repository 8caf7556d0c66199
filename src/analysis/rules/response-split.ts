import type { Finding, ResponseSplit, StepRow } from '../../model/analysis.ts';
import { loadText, percentText, secondsText } from '../../stats/wording.ts';
import { responseSplits } from '../response-split.ts';
import type { DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** The time is worth a place once a request takes so much longer than at the lightest load. */
const GROWTH_RATIO = 1.5;
/** Of the client's median, this share of the service's own says where the time goes by. */
const INSIDE_RATIO = 0.8;
const BETWEEN_RATIO = 0.5;

/**
 * Where the time goes by, once there is a wait to explain: the service's own median beside the client's, at the step
 * with the longest. Inside the service from 80 % of it on; between the two (the accept queue, the network, the generator)
 * below 50 %; in the middle it is said to be shared, with low confidence.
 */
export const responseSplit: DiagnosisRule = {
  id: 'response-split',
  examine: ({ rows, measurements }) => {
    const splits = responseSplits(rows, measurements);
    const lightest = splits[0];
    const longest = splits.reduce<ResponseSplit | undefined>(
      (top, one) => (one.clientP50Seconds > (top?.clientP50Seconds ?? 0) ? one : top),
      undefined,
    );
    if (lightest === undefined || longest === undefined) return [];
    if (longest.clientP50Seconds < GROWTH_RATIO * lightest.clientP50Seconds) return [];
    const row = rows.find(({ index }) => index === longest.stepIndex)!;
    return [findingOf(longest, row)];
  },
};

function findingOf(split: ResponseSplit, row: StepRow): Finding {
  const { insideRatio, clientP50Seconds, serviceP50Seconds } = split;
  const [client, own] = [secondsText(clientP50Seconds), secondsText(serviceP50Seconds)];
  const place =
    insideRatio >= INSIDE_RATIO
      ? 'inside the service'
      : insideRatio < BETWEEN_RATIO
        ? 'between client and service (accept queue, network, generator)'
        : 'partly inside the service, partly before it';
  return {
    ruleId: 'response-split',
    claim: `the time goes by ${place}: its own median is ${own} of the client's ${client} at ${loadText(row)}`,
    confidence: insideRatio >= INSIDE_RATIO || insideRatio < BETWEEN_RATIO ? 'high' : 'low',
    resource: insideRatio >= INSIDE_RATIO ? 'service' : 'network',
    evidence: [
      stepEvidence(
        row,
        'responseSplit.insideRatio',
        insideRatio,
        'ratio',
        `the service counts ${percentText(insideRatio)} of the client's median itself,`,
      ),
    ],
    counterEvidence: [],
  };
}
