import type { RunRecord } from '../../model/record.ts';
import { freePort } from '../../host/free-port.ts';
import { concludeRun } from '../../pipeline.ts';
import { openService, type ServiceRequest } from '../../session/open-service.ts';
import { loadOnce } from '../../session/load-once.ts';
import { manifestOf, type RunRequest } from '../../session/run-request.ts';
import { probePlan, zooCommand, type Variant, type ZooMember } from './index.ts';

const READY_SECONDS = 10;

/** Where and how a member is started, and what is run on it. */
export interface ZooRun {
  readonly service: ServiceRequest;
  readonly request: RunRequest;
}

/** A member's probe as a run on a free port; the seed draws the load and names the routes. */
export async function zooRun(member: ZooMember, variant: Variant, seed: number): Promise<ZooRun> {
  const port = await freePort();
  const plan = probePlan(member.probe, seed);
  const label = `${member.name}-${variant}`;
  return {
    service: {
      url: new URL(`http://127.0.0.1:${port}/`),
      startCommand: zooCommand(member, variant, port, seed),
      readyPath: '/',
      readyTimeoutSeconds: READY_SECONDS,
    },
    request: {
      label,
      plan,
      peakLoad: Math.max(...(member.probe.loads ?? [])),
      targets: [],
      marginRatio: 0.1,
      writeSamples: false,
      commandLine: ['shipload', 'demo', 'zoo', member.name],
      planNotices: [],
    },
  };
}

/** Starts a member, runs its probe and concludes, without a run folder. Throws what opening a service throws. */
export async function diagnoseMember(member: ZooMember, variant: Variant, seed: number): Promise<RunRecord> {
  const { service: toOpen, request } = await zooRun(member, variant, seed);
  const service = await openService(toOpen);
  try {
    const manifest = manifestOf(request, service, new Date().toISOString());
    const { measurements, totals, reason } = await loadOnce(request.plan, service, {});
    return concludeRun({ manifest: { ...manifest, state: reason }, measurements, totals });
  } finally {
    await service.stop();
  }
}
