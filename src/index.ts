/**
 * Shipload as a library: the engine, and what turns its measurements into a table, an analysis and a verdict.
 * docs/library.md has an example that runs.
 */
export { searchStateOf, stepSourceOf, type GrowthContext } from './adaptive-load.ts';
export { analyze, type AnalysisOptions } from './analysis/analyze.ts';
export { stepTable } from './analysis/step-table.ts';
export type { CounterReading, CounterSource } from './counters/counter-source.ts';
export { createGeneratorSource, createMachineSource, createProcessSource } from './counters/index.ts';
export {
  type DriveHost,
  type PlanRun,
  type RunEvent,
  runPlan,
  startPlan,
  type StepSource,
  type StopReason,
} from './drive/run-plan.ts';
export { ShiploadError, type ErrorCode } from './errors.ts';
export type { Clock, Task } from './host/host.ts';
export { RealClock } from './host/real-clock.ts';
export { VirtualClock } from './host/virtual-clock.ts';
export { searchResult } from './load/growth/search-load.ts';
export { basisOfUrl, basisOfWorkload } from './load/load-basis.ts';
export { planLoad, type LoadOptions, type PlannedLoad } from './load/plan-load.ts';
export { createHttp1Protocol } from './protocols/http1/http1-protocol.ts';
export type { Channel, Protocol, ProtocolOptions } from './protocols/protocol.ts';
export { SimulatedProtocol, simulatedCounters } from './protocols/simulated.ts';
export { meanOf, percentileOf } from './stats/histogram.ts';
export { judge } from './verdict/judge.ts';
export { parseTarget } from './verdict/parse-target.ts';
export { concludeRun, type MeasuredRun, modelLog, rowsOf } from './pipeline.ts';
export { DIAGNOSIS_RULES } from './analysis/rules/index.ts';
export { LOAD_SHAPES } from './load/shapes/index.ts';
export { REPORTERS } from './report/index.ts';
export { parseRunRecord, parseWorkload } from './record/validate.ts';
export { del, get, journey, patch, post, put, scenario } from './scenario/define.ts';
export { env } from './host/environment-variable.ts';
export { secret } from './host/secret-values.ts';
export { feed, type Feed } from './scenario/feed.ts';
export { JourneyError, type Answer, type ServerSentEvent } from './scenario/answer.ts';
export type { Checks, FormPart, HttpMethod, RequestOptions } from './scenario/request-options.ts';
export type {
  Client,
  Journey,
  PlainRequest,
  Scenario,
  ScenarioLoad,
  ScenarioSpec,
  User,
} from './scenario/types.ts';
export type * from './model/analysis.ts';
export type * from './model/load.ts';
export type * from './model/measurement.ts';
export type * from './model/record.ts';
export type * from './model/verdict.ts';
export type * from './model/workload.ts';
