import { z } from 'zod';
import {
  brokerRunsSchema,
  comparisonDocumentSchema,
  explanationDocumentSchema,
  isolationDocumentSchema,
  machineCheckSchema,
  predictionDocumentSchema,
  reportSchema,
} from './documents.ts';
import { runManifestSchema, runRecordSchema } from './run.ts';
import { workloadSchema } from './workload.ts';

/** What `shipload record --json` prints: the record's markdown in a document. */
const recordDocumentSchema = z
  .object({ kind: z.literal('record-document'), schemaVersion: z.literal(1), markdown: z.string() })
  .meta({ title: 'Record document', description: 'The load-test record as markdown.' });

/** Every document that Shipload prints or stores, by the name of its file in docs/schema. */
export const SCHEMAS = {
  workload: workloadSchema,
  report: reportSchema,
  isolation: isolationDocumentSchema,
  comparison: comparisonDocumentSchema,
  prediction: predictionDocumentSchema,
  explanation: explanationDocumentSchema,
  run: runManifestSchema,
  record: runRecordSchema,
  'machine-check': machineCheckSchema,
  'record-document': recordDocumentSchema,
  'broker-runs': brokerRunsSchema,
} as const;

/** The text of `docs/schema/<name>.json`. Fields beyond the schema are allowed, as documents grow. */
export function jsonSchemaText(name: keyof typeof SCHEMAS): string {
  return `${JSON.stringify(z.toJSONSchema(SCHEMAS[name], { io: 'input' }), null, 2)}\n`;
}
