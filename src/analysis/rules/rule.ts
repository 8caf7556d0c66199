import type { Analysis, Finding, Isolation, StepRow } from '../../model/analysis.ts';
import type { LoadPlan } from '../../model/load.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import type { WorkloadModel } from '../../model/workload.ts';

/** Everything a rule may look at. Only `rows` is always there: an imported table has no measurements. */
export interface DiagnosisInput {
  readonly rows: readonly StepRow[];
  readonly measurements: readonly StepMeasurement[];
  readonly isolation?: Isolation;
  readonly workload?: WorkloadModel;
  readonly plan?: LoadPlan;
  readonly machineCoreCount?: number;
  readonly analysis: Omit<Analysis, 'findings'>;
}

/** One hypothesis. It claims nothing (an empty list) where the data do not carry the claim. */
export interface DiagnosisRule {
  readonly id: string;
  examine(input: DiagnosisInput): readonly Finding[];
}
