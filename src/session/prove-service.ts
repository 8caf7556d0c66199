import { type Container, findContainer } from '../host/container.ts';
import { readPermissions } from '../host/permissions.ts';
import { guardWorld, type Proof, type ProvenTarget, proveTarget } from '../host/target-guard.ts';
import type { Grant } from '../load/safety.ts';
import type { ServiceRequest } from './open-service.ts';
import { guardedUrls } from './service-route.ts';

/** Where the load may go, and why. */
export interface ProvenService {
  /** The addresses that were proven: connections go there, the name is only for the Host header. None for a socket. */
  readonly addresses: readonly string[];
  readonly grant: Grant;
  /** Why, in words. */
  readonly proof: string;
  readonly container?: Container;
}

/**
 * Makes sure that the url, or every address it is told to lead to, is the user's to load, before a packet goes
 * there. Throws `url-not-yours`, `permissions-invalid`, `container-not-found`.
 */
export async function proveService(request: ServiceRequest): Promise<ProvenService> {
  if (request.socketPath !== undefined)
    return { addresses: [], grant: { isOwn: true }, proof: 'a unix socket of this machine' };
  const container =
    request.containerName === undefined ? undefined : await findContainer(request.containerName);
  const world = guardWorld(await readPermissions(), container);
  const targets: ProvenTarget[] = [];
  for (const url of guardedUrls(request)) targets.push(await proveTarget(url, world));
  const proofs = targets.map(({ proof }) => proof);
  return {
    addresses: targets.flatMap(({ addresses }) => addresses),
    grant: tightest(proofs.map(grantOf)),
    proof: [...new Set(proofs.map(proofText))].join(', '),
    ...(container !== undefined && { container }),
  };
}

/** What all of them grant. */
function tightest(grants: readonly Grant[]): Grant {
  const rates = grants.flatMap(({ ratePerSecond }) => ratePerSecond ?? []);
  const [until] = grants.flatMap((grant) => grant.until ?? []).toSorted();
  return {
    isOwn: grants.every(({ isOwn }) => isOwn),
    ...(rates.length > 0 && { ratePerSecond: Math.min(...rates) }),
    ...(until !== undefined && { until }),
  };
}

function grantOf(proof: Proof): Grant {
  switch (proof.kind) {
    case 'own-address':
    case 'container':
      return { isOwn: true };
    case 'allow-list':
      return { isOwn: false, ratePerSecond: proof.ratePerSecond, until: proof.until };
    case 'well-known':
      return { isOwn: false };
  }
}

function proofText(proof: Proof): string {
  switch (proof.kind) {
    case 'own-address':
      return 'an address of this machine';
    case 'container':
      return `the container ${proof.name} of this machine`;
    case 'allow-list':
      return `allowed at ${proof.ratePerSecond}/s until ${proof.until}`;
    case 'well-known':
      return 'your token on the service';
  }
}
