import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { countText, figure, loadOf, loadText, percentText, secondsText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { cpuWaitRatio } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

const LIMIT_RATIO = 0.85;
const THREAD_LIMIT_RATIO = 0.95;
const CERTAIN_RATIO = 0.95;
/** A demand that has grown by more says that something besides the work uses the CPU. */
const DEMAND_GROWTH = 1.25;
const FLAT_SLOPE_RATIO = 0.6;
/** A thread that uses less of a core is hardly bound by it, however long it waits for one. */
const LEAST_THREAD_RATIO = 0.25;
const ONE_THREAD_SHARE = 0.85;
/** Of the time that the process wanted a core, it waited for one that other work had: more is saturation by others. */
const WAITED_SHARE = 0.1;
/** Cores' worth of other work below which a process can only wait for itself. */
const LEAST_OTHER_CORES = 0.3;

/**
 * The process at the limit of the cores it can use: U ≥ 85 %, or one thread ≥ 95 % of a core; on a machine that
 * others use, one thread that runs or waits for a core ≥ 95 % of the time. The machine's idle rest is said beside it,
 * since it hides the limit. Demand D = U·m/X that grows with load speaks against plain work as the cause (contention,
 * collections, spinning), and so does a wait for cores that other work has.
 */
export const cpuBound: DiagnosisRule = {
  id: 'cpu-bound',
  examine: (input) => {
    const rows = input.rows
      .filter(({ valid }) => valid)
      .sort((a, b) => (loadOf(a)?.value ?? 0) - (loadOf(b)?.value ?? 0));
    const limited = rows.filter((row) => limitOf(row, input) !== undefined);
    const last = limited.at(-1);
    return last === undefined ? [] : [findingOf(last, limited, rows, input)];
  },
};

interface CpuLimit {
  readonly words: string;
  readonly ratio: number;
  /** Of the ratio, what the thread waited for a core. */
  readonly waitRatio?: number;
}

function limitOf(row: StepRow, input: DiagnosisInput): CpuLimit | undefined {
  const cpu = row.utilizationRatio['cpu'];
  const cores = row.serverCount['cpu'] ?? 1;
  if (cpu !== undefined && cpu >= LIMIT_RATIO) {
    const of = cores === 1 ? 'its one core' : `its ${countText(cores, 'core')}`;
    return { words: `the process is at the limit of ${of}`, ratio: cpu };
  }
  const thread = row.utilizationRatio['busiestThread'];
  if (thread === undefined) return undefined;
  if (thread >= THREAD_LIMIT_RATIO)
    return { words: 'one thread of the process is at the limit of a core', ratio: thread };
  return starvedThread(row, thread, input);
}

/** One thread that carries the process's work and is always running or waiting for a core. */
function starvedThread(row: StepRow, thread: number, input: DiagnosisInput): CpuLimit | undefined {
  const waitRatio = cpuWaitRatio(row, input);
  const cpu = (row.utilizationRatio['cpu'] ?? 0) * (row.serverCount['cpu'] ?? 1);
  if (thread < LEAST_THREAD_RATIO || thread < ONE_THREAD_SHARE * cpu) return undefined;
  if (thread + waitRatio < THREAD_LIMIT_RATIO) return undefined;
  const ratio = Math.min(1, thread + waitRatio);
  return {
    words: `one thread runs or waits for a core all the time (others leave it ${percentText(thread)} of one)`,
    ratio,
    waitRatio,
  };
}

function findingOf(
  last: StepRow,
  limited: readonly StepRow[],
  rows: readonly StepRow[],
  input: DiagnosisInput,
): Finding {
  const { words, ratio } = limitOf(last, input)!;
  const machine = last.machineCpuRatio ?? last.utilizationRatio['machineCpu'];
  const idles = machine !== undefined && machine < LIMIT_RATIO;
  const rest = idles ? ` while the machine is ${percentText(1 - machine)} idle` : '';
  const counterEvidence = [...demandGrowth(last, rows), ...otherWork(last, input)];
  const certain = ratio >= CERTAIN_RATIO || flattens(last, rows);
  return {
    ruleId: 'cpu-bound',
    claim: `${words}: ${percentText(ratio)} at ${loadText(last)}${rest}`,
    confidence: certain && counterEvidence.length === 0 ? 'high' : 'medium',
    resource: 'cpu',
    evidence: [
      ...limited.map((row) => {
        const { ratio: value, waitRatio } = limitOf(row, input)!;
        const waiting =
          waitRatio === undefined ? '' : `, ${percentText(waitRatio)} of it waiting for a core,`;
        return stepEvidence(
          row,
          'utilizationRatio.cpu',
          value,
          'ratio',
          `CPU ${percentText(value)}${waiting}`,
        );
      }),
      ...limitFromDemand(last),
      ...(idles ? [machineEvidence(last, machine, input.machineCoreCount)] : []),
    ],
    counterEvidence,
    nextExperiment: 'shipload isolate: the CPU demand of each route alone',
    experiment: {
      kind: 'double-load',
      stepIndex: last.index,
      reads: { quantity: 'throughputPerSecond' },
      supports: { atMost: 1.15 },
      refutes: { atLeast: 1.4 },
    },
  };
}

/** What other work (the load generator's too, where it shares the machine) takes from the process. */
function otherWork(row: StepRow, input: DiagnosisInput): Evidence[] {
  const waited = cpuWaitRatio(row, input);
  const used = (row.utilizationRatio['cpu'] ?? 0) * (row.serverCount['cpu'] ?? 1);
  const share = waited / (used + waited);
  const machine = row.machineCpuRatio ?? row.utilizationRatio['machineCpu'];
  const cores = row.machineCoreCount ?? input.machineCoreCount;
  const otherCores = machine === undefined || cores === undefined ? undefined : machine * cores - used;
  // One thread cannot wait for itself; of several threads it takes the machine's figures to tell.
  const isOthers =
    otherCores === undefined ? limitOf(row, input)?.waitRatio !== undefined : otherCores >= LEAST_OTHER_CORES;
  if (!(share > WAITED_SHARE) || !isOthers) return [];
  const taken =
    otherCores === undefined
      ? 'other work has the cores'
      : `other work uses ${figure(otherCores)} of the cores`;
  const text = `the process waits for a core ${figure(waited)} s a second: ${taken},`;
  return [stepEvidence(row, 'runQueueWaitRatio', waited, 'ratio', text)];
}

function limitFromDemand(row: StepRow): Evidence[] {
  const demand = row.serviceDemandSeconds['cpu'];
  if (demand === undefined || demand <= 0) return [];
  const limit = (row.serverCount['cpu'] ?? 1) / demand;
  const text = `D = ${secondsText(demand)} allows at most m/D = ${figure(limit)}/s, measured ${figure(row.throughputPerSecond)}/s`;
  return [stepEvidence(row, 'serviceDemandSeconds.cpu', demand, 'seconds', text)];
}

function machineEvidence(row: StepRow, machine: number, coreCount: number | undefined): Evidence {
  const cores = row.machineCoreCount ?? coreCount;
  const of = cores === undefined ? '' : ` of ${countText(cores, 'core')}`;
  const text = `the machine as a whole shows ${percentText(machine)}${of}, which hides the limit,`;
  return stepEvidence(row, 'machineCpuRatio', machine, 'ratio', text);
}

/** Whether the last marginal slope of X is below 0.6 of the first. */
function flattens(last: StepRow, rows: readonly StepRow[]): boolean {
  const index = rows.indexOf(last);
  const before = rows[index - 1];
  const first = rows[0]!;
  const [a, b, c] = [loadOf(first)?.value, before && loadOf(before)?.value, loadOf(last)?.value];
  if (before === undefined || !a || b === undefined || c === undefined || c <= b) return false;
  const slope = (last.throughputPerSecond - before.throughputPerSecond) / (c - b);
  return slope < (FLAT_SLOPE_RATIO * first.throughputPerSecond) / a;
}

/** Compared with the first step that is half busy: at lighter load the idle costs of a process count in D. */
function demandGrowth(last: StepRow, rows: readonly StepRow[]): Evidence[] {
  const reference = rows.find((row) => (row.utilizationRatio['cpu'] ?? 0) >= 0.4);
  const from = reference?.serviceDemandSeconds['cpu'];
  const to = last.serviceDemandSeconds['cpu'];
  if (from === undefined || to === undefined || to <= DEMAND_GROWTH * from) return [];
  const text = `the CPU demand of a request grew from ${secondsText(from)} to ${secondsText(to)}`;
  return [stepEvidence(last, 'serviceDemandSeconds.cpu', to, 'seconds', text)];
}
