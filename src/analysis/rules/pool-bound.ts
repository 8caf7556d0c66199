import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { countText, figure, loadOf, loadText, percentText, secondsText } from '../../stats/wording.ts';
import { GENERATOR_LIMIT_RATIO, generatorStrain } from './generator-limit.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A process that uses no more of its cores, and no thread more of one, has CPU left. */
const IDLE_RATIO = 0.7;
/** A step this far beyond the knee stands on the plateau. */
const BEYOND_KNEE_RATIO = 1.5;
/** How much longer a request must take on the plateau than alone to be waiting for a place. */
const GROWTH_RATIO = 1.5;
const HIGH_ERROR_RATIO = 0.01;
/** Mean and median of the lightest step this near to each other: R₀ is the service's, and not a few outliers'. */
const STEADY_RATIO = 0.1;

/**
 * A limit that is no CPU: throughput levels off while the process has CPU to spare, and response time grows with
 * the load. By Little's law the requests served at once are X_plateau·R₀, R₀ the mean response time of the
 * lightest step: the size of a pool, where the wait in it is all of R₀.
 */
export const poolBound: DiagnosisRule = {
  id: 'pool-bound',
  examine: (input) => {
    const { seen, users, capacityPerSecond } = input.analysis.knee;
    const rows = closedRows(input);
    const lightest = rows[0];
    const beyond = rows.filter((row) => loadOf(row)!.value >= BEYOND_KNEE_RATIO * (users ?? Infinity));
    const top = beyond.at(-1);
    if (!seen || capacityPerSecond === undefined || lightest === undefined || top === undefined) return [];
    if (!beyond.every(hasRoom) || !growsWithLoad(lightest, top)) return [];
    return [findingOf(lightest, beyond, top, capacityPerSecond)];
  },
};

const closedRows = ({ rows }: DiagnosisInput): StepRow[] =>
  rows
    .filter(
      (row) =>
        row.valid && (row.users ?? row.concurrency) !== undefined && row.responseTimeSeconds !== undefined,
    )
    .sort((a, b) => loadOf(a)!.value - loadOf(b)!.value);

function hasRoom(row: StepRow): boolean {
  const { cpu, busiestThread = 0 } = row.utilizationRatio;
  const strained = generatorStrain(row).some(
    ({ quantity, value }) => quantity === 'generator.utilizationRatio' && value >= GENERATOR_LIMIT_RATIO,
  );
  return (
    cpu !== undefined &&
    Math.max(cpu, busiestThread) < IDLE_RATIO &&
    row.errorRatio < HIGH_ERROR_RATIO &&
    !strained
  );
}

const growsWithLoad = (lightest: StepRow, top: StepRow): boolean =>
  top.responseTimeSeconds! > GROWTH_RATIO * lightest.responseTimeSeconds!;

function findingOf(
  lightest: StepRow,
  beyond: readonly StepRow[],
  top: StepRow,
  plateauPerSecond: number,
): Finding {
  const slots = plateauPerSecond * lightest.responseTimeSeconds!;
  const whole = Math.max(1, Math.round(slots));
  const { p50Seconds = lightest.responseTimeSeconds! } = lightest.overall;
  const isSteady = Math.abs(lightest.responseTimeSeconds! / p50Seconds - 1) <= STEADY_RATIO;
  const cpu = Math.max(...beyond.map((row) => row.utilizationRatio['cpu']!));
  return {
    ruleId: 'pool-bound',
    claim: `throughput levels off at ${figure(plateauPerSecond)}/s while the CPU is at ${percentText(cpu)}: about ${countText(whole, 'request')} served at once, the others wait for a place`,
    confidence: isSteady && beyond.length > 1 ? 'high' : 'medium',
    resource: 'pool',
    evidence: [
      ...beyond.map(cpuEvidence),
      slotEvidence(lightest, slots, plateauPerSecond),
      responseEvidence(lightest, top),
    ],
    counterEvidence: [],
    nextExperiment: 'twice the places (connections, threads, permits): if throughput doubles, it is the pool',
  };
}

const cpuEvidence = (row: StepRow): Evidence => {
  const value = row.utilizationRatio['cpu']!;
  const text = `${figure(row.throughputPerSecond)}/s with the CPU at ${percentText(value)}`;
  return stepEvidence(row, 'utilizationRatio.cpu', value, 'ratio', text);
};

function slotEvidence(row: StepRow, slots: number, plateauPerSecond: number): Evidence {
  const alone = secondsText(row.responseTimeSeconds!);
  const text = `X·R₀ = ${figure(plateauPerSecond)}/s × ${alone} = ${figure(slots)} served at once, R₀ of the step`;
  return stepEvidence(row, 'responseTimeSeconds', row.responseTimeSeconds!, 'seconds', text);
}

function responseEvidence(lightest: StepRow, top: StepRow): Evidence {
  const from = `${secondsText(lightest.responseTimeSeconds!)} at ${loadText(lightest)}`;
  const text = `a request takes ${secondsText(top.responseTimeSeconds!)}, after ${from},`;
  return stepEvidence(top, 'responseTimeSeconds', top.responseTimeSeconds!, 'seconds', text);
}
