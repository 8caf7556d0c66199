import type { LoadPlan } from '../model/load.ts';
import type { ProtocolOptions } from '../protocols/protocol.ts';
import type { OpenService } from './open-service.ts';

/** How the requests of a plan reach a service. */
export const protocolOptions = (plan: LoadPlan, service: OpenService): ProtocolOptions => ({
  ...service.route,
  requests: plan.requests,
  requestTimeoutSeconds: plan.requestTimeoutSeconds,
  ...(plan.transport !== undefined && { transport: plan.transport }),
});
