import type { Evidence, Finding, StepRow } from '../../model/analysis.ts';
import { countText, figure, percentText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Two CPU columns that differ by less are one and the same reading. */
const SAME_RATIO = 0.005;
/** How different the columns must be somewhere for U to be the process's own. */
const THREAD_BUSY_RATIO = 0.9;

/**
 * A mistake: the machine's CPU read as the process's. Either only the machine's is known, or the column of the
 * process repeats the machine's at two steps or more, or U is divided by all cores while one thread is full.
 * Machine share × cores = cores in use: 16 % of 6 cores is one full core.
 */
export const machineCpuInsteadOfProcess: DiagnosisRule = {
  id: 'machine-cpu-instead-of-process',
  examine: (input) => {
    const rows = input.rows.filter((row) => machineOf(row) !== undefined);
    const withProcess = rows.filter((row) => row.utilizationRatio['cpu'] !== undefined);
    if (rows.length > 0 && withProcess.length === 0) return [onlyMachine(rows, input)];
    if (repeatsMachine(withProcess, input)) return [repeated(withProcess, input)];
    const diluted = input.rows.filter(isDiluted);
    return diluted.length === 0 ? [] : [dilutedFinding(diluted)];
  },
};

const machineOf = (row: StepRow): number | undefined =>
  row.machineCpuRatio ?? row.utilizationRatio['machineCpu'];

const coresOf = (row: StepRow, input: DiagnosisInput): number | undefined =>
  row.machineCoreCount ?? input.machineCoreCount;

function repeatsMachine(rows: readonly StepRow[], input: DiagnosisInput): boolean {
  const busy = rows.filter((row) => machineOf(row)! > SAME_RATIO);
  const same = busy.every((row) => Math.abs(row.utilizationRatio['cpu']! - machineOf(row)!) < SAME_RATIO);
  return busy.length >= 2 && same && busy.some((row) => (coresOf(row, input) ?? 2) > 1);
}

/** U of one full thread divided by more cores than it can use. */
function isDiluted(row: StepRow): boolean {
  const cores = row.serverCount['cpu'] ?? 1;
  const thread = row.utilizationRatio['busiestThread'];
  const cpu = row.utilizationRatio['cpu'];
  if (thread === undefined || cpu === undefined || cores <= 1 || thread < THREAD_BUSY_RATIO) return false;
  return cpu * cores <= 1.1 * thread;
}

function machineEvidence(row: StepRow, input: DiagnosisInput): Evidence {
  const machine = machineOf(row)!;
  const cores = coresOf(row, input);
  const inCores =
    cores === undefined ? '' : ` × ${countText(cores, 'core')} = ${figure(machine * cores)} cores in use`;
  return stepEvidence(row, 'machineCpuRatio', machine, 'ratio', `machine ${percentText(machine)}${inCores}`);
}

function mistake(claim: string, evidence: readonly Evidence[], confidence: Finding['confidence']): Finding {
  return {
    ruleId: 'machine-cpu-instead-of-process',
    claim,
    confidence,
    resource: 'cpu',
    evidence,
    counterEvidence: [],
    nextExperiment: "read the process's own CPU time: --pid, --port or --start, and --cores for m",
  };
}

const onlyMachine = (rows: readonly StepRow[], input: DiagnosisInput): Finding =>
  mistake(
    "only the machine's CPU is known: a process at the limit of one core can hide behind an idle machine",
    rows.map((row) => machineEvidence(row, input)),
    'high',
  );

const repeated = (rows: readonly StepRow[], input: DiagnosisInput): Finding =>
  mistake(
    "the CPU given for the process repeats the machine's at every step: it was probably read from the machine",
    rows.map((row) => machineEvidence(row, input)),
    'medium',
  );

const dilutedFinding = (rows: readonly StepRow[]): Finding =>
  mistake(
    'the process’s CPU is divided by cores that it does not use: one thread is full while U looks low',
    rows.map((row) => {
      const thread = row.utilizationRatio['busiestThread']!;
      const cpu = row.utilizationRatio['cpu']!;
      const cores = row.serverCount['cpu']!;
      const text = `busiest thread ${percentText(thread)} of a core, U = ${percentText(cpu)} of ${cores} cores,`;
      return stepEvidence(row, 'utilizationRatio.busiestThread', thread, 'ratio', text);
    }),
    'high',
  );
