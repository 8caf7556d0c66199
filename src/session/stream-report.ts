import type { Bus } from '../agents/bus.ts';
import { connectNats } from '../agents/nats-bus.ts';
import { describeStreamRun, readStreamRun } from '../agents/stream-run.ts';
import type { BrokerRun } from '../model/documents.ts';
import type { RunRecord } from '../model/record.ts';
import { concludeRun } from '../pipeline.ts';
import { type BrokerRequest, readBrokerAccess } from './broker-request.ts';

/**
 * The record of a run that a broker keeps, whoever coordinated it and whatever became of them. Throws what reaching the
 * broker throws, and `file-not-found`.
 */
export async function readRunOnBroker(broker: BrokerRequest, runId: string): Promise<RunRecord> {
  return withBroker(broker, async (bus) => {
    const { manifest, measurements, totals, conclusion, notices } = await readStreamRun(bus, runId);
    const doubts = conclusion?.doubts ?? [];
    return concludeRun({
      manifest,
      measurements: measurements.map((step) => ({ ...step, notices: [...step.notices, ...doubts] })),
      ...(totals !== undefined && { totals }),
      planNotices: notices,
    });
  });
}

/** The runs that a broker keeps, the oldest first; those that never had a start are none. */
export const runsOnBroker = (broker: BrokerRequest): Promise<readonly BrokerRun[]> =>
  withBroker(broker, async (bus) => {
    const runs = await Promise.all((await bus.runs()).map((runId) => describeStreamRun(bus, runId)));
    return runs.filter((run) => run !== undefined);
  });

async function withBroker<Result>(
  request: BrokerRequest,
  work: (bus: Bus) => Promise<Result>,
): Promise<Result> {
  const bus = await connectNats(await readBrokerAccess(request), 'shipload report');
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}
