import type { Analysis, Finding, Isolation, StepRow } from '../../model/analysis.ts';
import type { LoadPlan } from '../../model/load.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import type { WorkloadModel } from '../../model/workload.ts';

/** What a rule may look at. Rows are always there; the rest where it was measured. */
export interface DiagnosisInput {
  readonly rows: readonly StepRow[];
  readonly measurements: readonly StepMeasurement[];
  readonly isolation?: Isolation;
  readonly workload?: WorkloadModel;
  readonly plan?: LoadPlan;
  readonly machineCoreCount?: number;
  readonly analysis: Omit<Analysis, 'findings'>;
}

/** A hypothesis about the bottleneck, tested on the measurements; no finding where it does not apply. */
export interface DiagnosisRule {
  readonly id: string;
  examine(input: DiagnosisInput): readonly Finding[];
}
