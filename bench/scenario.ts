import { machineText, startTarget } from './machine.ts';
import { median } from './paired.ts';
import { SCENARIO_KINDS, type ScenarioKind, scenarioRatios, scenarioRound } from './scenario-cost.ts';

/**
 * CPU a request costs the generator when a scenario sends it: plain requests, and requests with values taken out and
 * checks, beside the mix of a plan, in interleaved rounds. Usage: scenario [ROUNDS [SECONDS]].
 */
const USERS = 32;
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 2);

const target = await startTarget();
try {
  const costs: Record<ScenarioKind, number[]> = { declared: [], plain: [], checked: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (let i = 0; i < SCENARIO_KINDS.length; i += 1) {
      // Everyone comes first, last and between in turn.
      const kind = SCENARIO_KINDS[(i + round) % SCENARIO_KINDS.length]!;
      costs[kind].push(scenarioRound(kind, target.port, USERS, SECONDS));
    }
  console.log(`CPU of the generator per request, ${USERS} users, median of ${ROUNDS} rounds of ${SECONDS} s`);
  console.log(machineText());
  for (const kind of SCENARIO_KINDS)
    console.log(`  ${kind.padEnd(9)} ${(median(costs[kind]) * 1e6).toFixed(2).padStart(6)} µs`);
  for (const line of scenarioRatios(costs)) console.log(`  ${line}`);
} finally {
  target.stop();
}
