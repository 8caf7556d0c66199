import { fileURLToPath } from 'node:url';
import { runPinned } from './machine.ts';
import { pairedRatio, ratioText } from './paired.ts';

/** What sends the requests: the mix of a plan, a scenario of plain requests, one that takes values out and checks. */
export const SCENARIO_KINDS = ['declared', 'plain', 'checked'] as const;
export type ScenarioKind = (typeof SCENARIO_KINDS)[number];

/** The most that a request may cost beside one of the mix of a plan. */
const GOALS = { plain: 1.3, checked: 3 } as const;

const LOOP = fileURLToPath(new URL('./scenario-loop.js', import.meta.url));

/** One round on core 1: CPU seconds a request. */
export function scenarioRound(kind: ScenarioKind, port: number, users: number, seconds: number): number {
  const command = [process.execPath, LOOP, kind, String(port), String(users), String(seconds)];
  const [answers, cpuSeconds] = runPinned(command).trim().split(' ').map(Number);
  return cpuSeconds! / answers!;
}

/** The ratios to the mix of a plan, over rounds that ran one after the other, and whether each keeps its goal. */
export function scenarioRatios(costs: Readonly<Record<ScenarioKind, readonly number[]>>): readonly string[] {
  return (['plain', 'checked'] as const).map((kind) => {
    const ratio = pairedRatio(costs[kind], costs.declared);
    const kept = ratio.interval[0] <= GOALS[kind] ? 'kept' : 'MISSED';
    return `scenario, ${kind} / the mix of a plan: ${ratioText(ratio)}; at most ${GOALS[kind]}: ${kept}`;
  });
}
