import { z } from 'zod';
import type { ImportedRun } from '../../model/imported.ts';
import type { Agrees } from './agreement.ts';
import { stepRowSchema } from './analysis.ts';
import { importedLoadSchema } from './imported-load.ts';
import { amount, count, notices, text } from './primitives.ts';

const reportedTimes = z.object({
  percentiles: z.array(z.tuple([amount, amount]).readonly()),
  meanSeconds: amount.exactOptional(),
  maxSeconds: amount.exactOptional(),
  sampleCount: count.exactOptional(),
  throughputPerSecond: amount.exactOptional(),
});

const reportedStep = z.object({
  load: importedLoadSchema,
  windowSeconds: amount.exactOptional(),
  requestCount: count.exactOptional(),
  errorCount: count.exactOptional(),
  throughputPerSecond: amount,
  throughputStandardErrorPerSecond: amount.exactOptional(),
  overall: reportedTimes,
  byRoute: z.record(text, reportedTimes),
  notices,
});

/** How a run came here that another tool made, without its steps. */
export const importedSummarySchema = z.object({
  tool: text,
  format: text,
  detectedBy: text,
  files: z.array(text),
  startedAt: text.exactOptional(),
  lines: z.object({
    total: count,
    unread: count,
    examples: z.array(z.object({ line: count, reason: text, text })),
  }),
  basis: z.enum(['samples', 'summary', 'table']),
  missing: z.array(text),
  meaning: z.array(text),
});

/** The same with its steps. */
export const importedRunSchema = importedSummarySchema.extend({
  notices,
  steps: z.array(reportedStep).exactOptional(),
  rows: z.array(stepRowSchema).exactOptional(),
});

true satisfies Agrees<z.infer<typeof importedRunSchema>, ImportedRun>;
