import type { ScenarioMeasurement, ScenarioPart } from '../model/measurement.ts';
import { mergeHistograms } from './histogram.ts';

/** Adds what frames or steps counted of a scenario; undefined without any. */
export function mergeScenarios(all: readonly ScenarioMeasurement[]): ScenarioMeasurement | undefined {
  if (all.length === 0) return undefined;
  const parts = groupByName(all.flatMap(({ parts }) => parts)).map((group) => ({
    name: group[0]!.name,
    kind: group[0]!.kind,
    endedCount: group.reduce((sum, { endedCount }) => sum + endedCount, 0),
    failedCount: group.reduce((sum, { failedCount }) => sum + failedCount, 0),
    ...mergedTroubles(group),
    duration: mergeHistograms(group.map(({ duration }) => duration)),
  }));
  const checks = groupByName(all.flatMap(({ checks }) => checks)).map((group) => ({
    name: group[0]!.name,
    passedCount: group.reduce((sum, { passedCount }) => sum + passedCount, 0),
    failedCount: group.reduce((sum, { failedCount }) => sum + failedCount, 0),
  }));
  return { parts, checks };
}

/** What only a journey that something went wrong in has. */
function mergedTroubles(
  parts: readonly ScenarioPart[],
): Pick<ScenarioPart, 'failedCheckCount' | 'brokeOffAfter'> {
  const failedCheckCount = parts.reduce((sum, { failedCheckCount: count = 0 }) => sum + count, 0);
  const brokeOffAfter: Record<string, number> = {};
  for (const part of parts)
    for (const [request, count] of Object.entries(part.brokeOffAfter ?? {}))
      brokeOffAfter[request] = (brokeOffAfter[request] ?? 0) + count;
  return {
    ...(failedCheckCount > 0 && { failedCheckCount }),
    ...(Object.keys(brokeOffAfter).length > 0 && { brokeOffAfter }),
  };
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
