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
  /** The files of its feeds, by the paths that it names them by; each is a part of the bundle of its own. */
  feeds: z.array(z.object({ path: z.string(), sha256: z.string() })),
});
export type BundleScenario = z.infer<typeof scenarioSchema>;

/** What the agent reads that is nearest to the service. */
const watchSchema = z.object({
  pid: z.number().exactOptional(),
  port: z.number().exactOptional(),
  cores: z.number().exactOptional(),
  pages: z.array(z.string()).exactOptional(),
});

/** Columns as bytes in base64, little-endian as on every processor that Node runs on but s390x. */
const packedReplay = z.object({
  atSeconds: z.string(),
  classIndex: z.string(),
  targetIndex: z.string(),
  classIds: z.array(z.string()),
  targets: z.array(z.string()),
  spanSeconds: z.number(),
});

const bundleSchema = z.object({
  plan: loadPlanSchema,
  route: routeSchema,
  replay: packedReplay.exactOptional(),
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

export function packBundle({ replay, ...bundle }: Bundle): Uint8Array {
  const packed = { ...bundle, ...(replay !== undefined && { replay: packReplay(replay) }) };
  return new TextEncoder().encode(JSON.stringify(packed));
}

/** Throws a ZodError or SyntaxError for bytes that hold none. They were signed by their hash: a fault is ours. */
export function unpackBundle(data: Uint8Array): Bundle {
  const { replay, ...bundle } = bundleSchema.parse(JSON.parse(new TextDecoder().decode(data)));
  return { ...bundle, ...(replay !== undefined && { replay: unpackReplay(replay) }) };
}

const base64 = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** Bytes at the start of a buffer of their own, so that a column of any width can lie over them. */
const columnBytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64')).buffer;

const packReplay = ({
  atSeconds,
  classIndex,
  targetIndex,
  ...rest
}: ReplaySchedule): z.infer<typeof packedReplay> => ({
  atSeconds: base64(atSeconds),
  classIndex: base64(classIndex),
  targetIndex: base64(targetIndex),
  classIds: [...rest.classIds],
  targets: [...rest.targets],
  spanSeconds: rest.spanSeconds,
});

const unpackReplay = ({
  atSeconds,
  classIndex,
  targetIndex,
  ...rest
}: z.infer<typeof packedReplay>): ReplaySchedule => ({
  atSeconds: new Float64Array(columnBytes(atSeconds)),
  classIndex: new Uint32Array(columnBytes(classIndex)),
  targetIndex: new Uint32Array(columnBytes(targetIndex)),
  ...rest,
});
