export type { CounterReading, CounterSource } from './counter-source.ts';
export { findPidByPort } from './find-process.ts';
export { createGeneratorSource } from './generator.ts';
export { ownThreadCpuSeconds } from './own-thread.ts';
export { createProcessSource } from './linux-proc.ts';
export { createMachineSource } from './machine.ts';
export { parsePrometheusText, type PrometheusPage, type PrometheusSample } from './prometheus.ts';
export { usableCores, type UsableCores } from './usable-cores.ts';
