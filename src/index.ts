/** What other programs may use: the stages in order, their vocabulary, and the lists that extensions lengthen. */
export { concludeRun, type MeasuredRun, modelLog, rowsOf } from './pipeline.ts';
export { analyze } from './analysis/analyze.ts';
export { DIAGNOSIS_RULES } from './analysis/rules/index.ts';
export { ShiploadError, type ErrorCode } from './errors.ts';
export { LOAD_SHAPES } from './load/shapes/index.ts';
export { REPORTERS } from './report/index.ts';
export { judge } from './verdict/judge.ts';
export { parseTarget } from './verdict/parse-target.ts';
export { parseRunRecord, parseWorkload } from './record/validate.ts';
export type * from './model/analysis.ts';
export type * from './model/load.ts';
export type * from './model/measurement.ts';
export type * from './model/record.ts';
export type * from './model/verdict.ts';
export type * from './model/workload.ts';
