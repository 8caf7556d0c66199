/**
 * npm run bench:confirm [-- --only pool,cpu] [--limit 20] [--seed 1]
 *
 * Runs members of the zoo with their fault and lets `--confirm` make the deciding experiments: the finding that is
 * true should be supported. Prints one line a member, and how many were right within the limit.
 */
import { parseArgs } from 'node:util';
import { zooRun } from '../src/demo/zoo/diagnose.ts';
import { findMember, ZOO, type ZooMember } from '../src/demo/zoo/index.ts';
import type { Confirmation, Finding } from '../src/model/analysis.ts';
import { concludeRun } from '../src/pipeline.ts';
import { openService } from '../src/session/open-service.ts';
import { confirmRun } from '../src/session/perform-run.ts';
import { loadOnce } from '../src/session/load-once.ts';
import { manifestOf } from '../src/session/run-request.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    limit: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const limitSeconds = Number(values.limit);

interface Result {
  readonly before?: Finding;
  readonly after?: Finding;
  readonly made?: Confirmation;
  readonly seconds: number;
}

async function confirmMember(member: ZooMember): Promise<Result> {
  const { service: toOpen, request } = await zooRun(member, 'on', Number(values.seed));
  const service = await openService(toOpen);
  try {
    const manifest = manifestOf(request, service, new Date().toISOString());
    const { measurements, totals, reason } = await loadOnce(request.plan, service, {});
    const measured = { manifest: { ...manifest, state: reason }, measurements, totals };
    const first = concludeRun(measured);
    const confirming = { ...request, confirmSeconds: limitSeconds };
    const startedAt = performance.now();
    const second = await confirmRun(first, measured, confirming, service, {});
    const isTrue = ({ ruleId }: { readonly ruleId: string }): boolean => ruleId === member.expected.on;
    const [before, after] = [first, second].map(({ analysis }) => analysis.findings.find(isTrue));
    const made = second.confirmations?.find(isTrue);
    return {
      ...(before && { before }),
      ...(after && { after }),
      ...(made && { made }),
      seconds: (performance.now() - startedAt) / 1000,
    };
  } finally {
    await service.stop();
  }
}

const members = values.only === undefined ? ZOO : values.only.split(',').map(findMember);
let rightCount = 0;
let count = 0;
for (const member of members) {
  const obstacle = member.obstacle?.();
  if (obstacle !== undefined) {
    console.log(`left out ${member.name}: ${obstacle}`);
    continue;
  }
  const { before, after, made, seconds } = await confirmMember(member);
  if (before === undefined) {
    console.log(`not found  ${member.name}: no ${member.expected.on} to decide on`);
    continue;
  }
  const isRight = made?.outcome === 'supports' && seconds <= limitSeconds * 1.1;
  count += 1;
  rightCount += isRight ? 1 : 0;
  const change = `${before.confidence} → ${after?.confidence}`;
  console.log(
    `${isRight ? 'right' : 'WRONG'}  ${member.name}: ${member.expected.on} ${change}, ${seconds.toFixed(1)} s; ${made?.text ?? 'no experiment'}`,
  );
}
console.log(`${rightCount} of ${count} true findings supported within ${limitSeconds} s`);
process.exitCode = rightCount >= 0.9 * count ? 0 : 1;
