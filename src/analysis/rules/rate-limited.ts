import type { Finding } from '../../model/analysis.ts';
import { figure, loadText } from '../../stats/wording.ts';
import { failingSteps, offeredPerSecond, type FailingStep } from './failures.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Successes of the refusing steps within this of each other are one and the same rate. */
const SAME_RATE_RATIO = 1.2;
/** The offered rate must have risen by more, or a constant X says nothing. */
const OFFERED_RATIO = 1.3;
const BUSY_RATIO = 0.85;

/**
 * Requests refused by rule: 429 (RFC 6585) or 503 (RFC 9110) are most of the failures, and successes stay at one
 * rate, over two steps or more, while the offered rate rises by more than 30 %. A 503 may also be a service that
 * sheds load at its limit, which gives the same rate: medium confidence. A busy CPU speaks against a rule.
 */
export const rateLimited: DiagnosisRule = {
  id: 'rate-limited',
  examine: (input) => {
    const refusing = failingSteps(input).filter(
      ({ kind }) => kind === 'refused-429' || kind === 'refused-503',
    );
    const first = refusing[0]?.row;
    const last = refusing.at(-1)?.row;
    if (first === undefined || last === undefined || refusing.length < 2) return [];
    const rates = refusing.map(({ row }) => row.throughputPerSecond);
    if (Math.max(...rates) > SAME_RATE_RATIO * Math.min(...rates)) return [];
    if (offeredPerSecond(last) < OFFERED_RATIO * offeredPerSecond(first)) return [];
    return [findingOf(refusing, input)];
  },
};

function findingOf(refusing: readonly FailingStep[], input: DiagnosisInput): Finding {
  const rates = refusing.map(({ row }) => row.throughputPerSecond);
  const rate = rates.reduce((sum, value) => sum + value, 0) / rates.length;
  const last = refusing.at(-1)!.row;
  const busy = refusing.filter(({ row }) => (row.utilizationRatio['cpu'] ?? 0) >= BUSY_RATIO);
  const before = risingRows(input).filter(
    (row) => row.errorRatio <= 0.01 && row.throughputPerSecond > 1.1 * rate,
  );
  const counterEvidence = [
    ...busy.map(({ row }) =>
      stepEvidence(row, 'utilizationRatio.cpu', row.utilizationRatio['cpu']!, 'ratio', 'the CPU is busy too'),
    ),
    ...before.map((row) =>
      stepEvidence(
        row,
        'throughputPerSecond',
        row.throughputPerSecond,
        'perSecond',
        `${figure(row.throughputPerSecond)}/s went through`,
      ),
    ),
  ];
  const certain = refusing.every(({ kind }) => kind === 'refused-429') && counterEvidence.length === 0;
  return {
    ruleId: 'rate-limited',
    claim: `a limit of about ${figure(rate)}/s refuses the rest: successes stay there from ${loadText(refusing[0]!.row)} to ${loadText(last)} while ${figure(offeredPerSecond(last))}/s are offered`,
    confidence: certain ? 'high' : 'medium',
    resource: 'limit',
    evidence: [
      ...refusing.map(({ evidence }) => evidence),
      ...refusing.map(({ row }) =>
        stepEvidence(
          row,
          'throughputPerSecond',
          row.throughputPerSecond,
          'perSecond',
          `${figure(row.throughputPerSecond)}/s succeed`,
        ),
      ),
    ],
    counterEvidence,
    nextExperiment:
      'twice the load: the successes stay, the refusals double; then look for the limit in the configuration',
    experiment: {
      kind: 'double-load',
      stepIndex: last.index,
      reads: { quantity: 'throughputPerSecond' },
      supports: { atLeast: 0.85, atMost: 1.15 },
      refutes: { atLeast: 1.4 },
    },
  };
}
