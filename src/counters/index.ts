export { createCgroupSource } from './cgroup-source.ts';
export type { CounterReading, CounterSource } from './counter-source.ts';
export { findPidByPort } from './find-process.ts';
export { createGeneratorSource } from './generator.ts';
export { createProcessSource } from './linux-proc.ts';
export { createListenerSource } from './listener.ts';
export { createMachineSource } from './machine.ts';
export { parsePrometheusText, type PrometheusPage, type PrometheusSample } from './prometheus.ts';
export { usableCores, type UsableCores } from './usable-cores.ts';
