import { fileURLToPath } from 'node:url';
import { compileNative, hasCompiler, machineText, runPinned, startTarget } from './machine.ts';
import { median, pairedRatio, ratioText } from './paired.ts';
import { childrenCpuSeconds, PEERS } from './peers.ts';
import { SCENARIO_KINDS, type ScenarioKind, scenarioRatios, scenarioRound } from './scenario-cost.ts';

/**
 * CPU that a request costs the generator, everything recorded: ours beside its peers and beside a C loop that
 * looks at nothing, in interleaved rounds against one target on a core of its own. CPU time is compared, not the
 * rate: on a shared machine it is the figure that stays. Peers carry their start, ours is warm. What a scenario adds
 * to a request is measured in the same rounds.
 * Usage: engine [ROUNDS [SECONDS]].
 */
const CONNECTIONS = 64;
const ROUNDS = Number(process.argv[2] ?? 9);
const SECONDS = Number(process.argv[3] ?? 2);

interface Contender {
  readonly name: string;
  /** One round: CPU seconds a request. */
  readonly run: () => number;
}

const scenarioName = (kind: ScenarioKind): string => `scenario, ${kind}`;

/** `ANSWERS CPU_SECONDS`, as our own programs print it. */
function perRequest(output: string): number {
  const [answers, cpuSeconds] = output.trim().split(' ').map(Number);
  return cpuSeconds! / answers!;
}

function contenders(port: number): readonly Contender[] {
  const size = [String(port), String(CONNECTIONS), String(SECONDS)];
  const plan = fileURLToPath(new URL('./plan-loop.js', import.meta.url));
  const ours = (routes: number) => () =>
    perRequest(runPinned([process.execPath, plan, ...size, String(routes)]));
  const list: Contender[] = [
    { name: 'shipload', run: ours(1) },
    { name: 'shipload, mix', run: ours(2) },
  ];
  for (const kind of SCENARIO_KINDS)
    list.push({ name: scenarioName(kind), run: () => scenarioRound(kind, port, CONNECTIONS, SECONDS) });
  for (const peer of PEERS) {
    const command = peer.command(`http://127.0.0.1:${port}/books/1`, CONNECTIONS, SECONDS);
    if (command === undefined) {
      console.log(`${peer.name} is not installed: skipped (${peer.install})`);
      continue;
    }
    const run = (): number => {
      const output = runPinned(['sh', '-c', `${command}; times`]);
      return childrenCpuSeconds(output) / peer.answers(output);
    };
    list.push({ name: peer.name, run });
  }
  if (hasCompiler()) {
    const loop = compileNative('loop');
    list.push({ name: 'C loop', run: () => perRequest(runPinned([loop, ...size])) });
  } else {
    console.log('no C compiler (cc): the C loop is skipped');
  }
  return list;
}

/** The most that a round may cost beside each, from the goals of the project. */
const LIMITS: readonly (readonly [ours: string, theirs: string, limit: number])[] = [
  ['shipload', 'wrk', 1.05],
  ['shipload, mix', 'wrk', 1.15],
  ['shipload', 'C loop', 1.5],
  ['shipload', 'hey', 0.3],
  ['shipload', 'autocannon', 0.4],
  ['shipload', 'k6', 0.12],
];

const target = await startTarget();
try {
  const list = contenders(target.port);
  const costs = new Map(list.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    // Everyone comes first, last and between in turn.
    for (let i = 0; i < list.length; i++) {
      const { name, run } = list[(i + round) % list.length]!;
      costs.get(name)!.push(run() * 1e6);
    }
  }
  console.log(
    `\nCPU of the generator per request, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s`,
  );
  console.log(machineText());
  for (const [name, values] of costs) {
    const spread = `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
    console.log(`  ${name.padEnd(18)} ${median(values).toFixed(2).padStart(7)} µs  (${spread})`);
  }
  console.log('\nPaired ratios, and what is asked for (the interval must reach it)');
  for (const [ours, theirs, limit] of LIMITS) {
    const theirCosts = costs.get(theirs);
    if (theirCosts === undefined) continue;
    const ratio = pairedRatio(costs.get(ours)!, theirCosts);
    const kept = ratio.interval[0] <= limit ? 'kept' : 'MISSED';
    console.log(`  ${ours} / ${theirs}: ${ratioText(ratio)}; at most ${limit}: ${kept}`);
  }
  const costsOf = (kind: ScenarioKind): readonly number[] => costs.get(scenarioName(kind))!;
  const ofScenario = {
    declared: costsOf('declared'),
    plain: costsOf('plain'),
    checked: costsOf('checked'),
  };
  for (const line of scenarioRatios(ofScenario)) console.log(`  ${line}`);
} finally {
  target.stop();
}
