/** Fields of the documents in the words of a reader. The documents keep their names; people read these. */

const WHOLE: Readonly<Record<string, string>> = {
  throughputPerSecond: 'throughput X',
  errorRatio: 'failed requests',
  capacityPerSecond: 'capacity',
  knee: 'knee N*',
};

const RESOURCES: Readonly<Record<string, string>> = {
  cpu: 'service CPU',
  machineCpu: 'machine CPU',
};

/** `poolInUse` → `pool in use`. */
export const spacedWords = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** `cpu` → `service CPU`, `busiestThread` → `busiest thread`. */
export const resourceWords = (resource: string): string =>
  Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource]! : spacedWords(resource);

/**
 * The name of a compared metric or a prediction: `utilizationRatio.busiestThread at 200 users` → `busiest thread in use
 * at 200 users`. A name that is words already (`p95 /search at 200 users`) stays.
 */
export function metricWords(name: string): string {
  const [, field, resource, at] = /^(\w+)(?:\.(\w+))?( at .*)?$/.exec(name) ?? [];
  if (field === undefined) return name;
  if (resource === undefined) return Object.hasOwn(WHOLE, field) ? `${WHOLE[field]!}${at ?? ''}` : name;
  const words = resourceWords(resource);
  if (field === 'utilizationRatio') return `${words} in use${at ?? ''}`;
  return field === 'serviceDemandSeconds' ? `${words} time per request${at ?? ''}` : name;
}
