import { RealClock } from '../host/real-clock.ts';
import type { LoadPlan } from '../model/load.ts';
import { openProtocol } from '../protocols/open-protocol.ts';
import type { OpenService } from './open-service.ts';
import { protocolOptions } from './protocol-options.ts';

/**
 * Throws what the protocol throws for requests that it cannot carry (`option-invalid`, `url-invalid`), before anything
 * of a run is written. Connects to nothing.
 */
export async function requireSendable(plan: LoadPlan, service: OpenService): Promise<void> {
  await openProtocol(protocolOptions(plan, service), new RealClock()).close();
}
