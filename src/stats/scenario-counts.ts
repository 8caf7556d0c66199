import type { ScenarioMeasurement } from '../model/measurement.ts';
import { mergeHistograms } from './histogram.ts';

/** Adds what frames or steps counted of a scenario; undefined without any. */
export function mergeScenarios(all: readonly ScenarioMeasurement[]): ScenarioMeasurement | undefined {
  if (all.length === 0) return undefined;
  const parts = groupByName(all.flatMap(({ parts }) => parts)).map((group) => ({
    name: group[0]!.name,
    kind: group[0]!.kind,
    endedCount: group.reduce((sum, { endedCount }) => sum + endedCount, 0),
    failedCount: group.reduce((sum, { failedCount }) => sum + failedCount, 0),
    duration: mergeHistograms(group.map(({ duration }) => duration)),
  }));
  const checks = groupByName(all.flatMap(({ checks }) => checks)).map((group) => ({
    name: group[0]!.name,
    passedCount: group.reduce((sum, { passedCount }) => sum + passedCount, 0),
    failedCount: group.reduce((sum, { failedCount }) => sum + failedCount, 0),
  }));
  return { parts, checks };
}

function groupByName<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[][] {
  const groups = new Map<string, Named[]>();
  for (const one of all) {
    const group = groups.get(one.name);
    if (group === undefined) groups.set(one.name, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
