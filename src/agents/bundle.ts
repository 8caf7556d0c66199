import { z } from 'zod';
import { loadPlanSchema } from '../record/schema/plan.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { LoadPlan } from '../model/load.ts';

const tls = z.object({
  ca: z.string().exactOptional(),
  cert: z.string().exactOptional(),
  key: z.string().exactOptional(),
  rejectUnauthorized: z.boolean().exactOptional(),
  minVersion: z.enum(['TLSv1.2', 'TLSv1.3']).exactOptional(),
});

/** Where the load goes; every agent finds and proves the addresses itself, unless they were given. */
const routeSchema = z.object({
  url: z.string(),
  givenAddresses: z.array(z.string()).exactOptional(),
  tls: tls.exactOptional(),
  readyPath: z.string(),
});
export type BundleRoute = z.infer<typeof routeSchema>;

const scenarioSchema = z.object({
  /** Name of the file, for messages. */
  path: z.string(),
  /** One script, with all that it imports. */
  code: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type BundleScenario = z.infer<typeof scenarioSchema>;

/** What the agent reads that is nearest to the service. */
const watchSchema = z.object({
  pid: z.number().exactOptional(),
  port: z.number().exactOptional(),
  cores: z.number().exactOptional(),
  pages: z.array(z.string()).exactOptional(),
});

const bundleSchema = z.object({
  plan: loadPlanSchema,
  route: routeSchema,
  replay: z.unknown().optional(),
  scenario: scenarioSchema.exactOptional(),
  watch: watchSchema.exactOptional(),
});

/** All that an agent needs for its part: the plan, where to, and the code of a scenario. */
export interface Bundle {
  readonly plan: LoadPlan;
  readonly route: BundleRoute;
  readonly replay?: ReplaySchedule;
  readonly scenario?: BundleScenario;
  readonly watch?: z.infer<typeof watchSchema>;
}

export const packBundle = (bundle: Bundle): Uint8Array => new TextEncoder().encode(JSON.stringify(bundle));

/** Throws a ZodError or SyntaxError for bytes that hold none. They were signed by their hash: a fault is ours. */
export function unpackBundle(data: Uint8Array): Bundle {
  return bundleSchema.parse(JSON.parse(new TextDecoder().decode(data))) as Bundle;
}
