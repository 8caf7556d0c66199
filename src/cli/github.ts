import { appendFile } from 'node:fs/promises';
import type { Comparison, RunRecord } from '../model/record.ts';
import { medianRecord } from '../record/median-record.ts';
import { comparisonAnnotations, runAnnotations } from '../report/annotations.ts';
import { markdownReporter } from '../report/markdown.ts';
import { ShiploadError } from '../errors.ts';
import { writeError } from '../host/write-file.ts';
import type { Terminal } from './terminal.ts';

const SUMMARY_VARIABLE = 'GITHUB_STEP_SUMMARY';

/** Throws `usage` where there is nothing to tell: before load is made for it. */
export function requireGithub(): void {
  summaryPath();
}

/** The runs of a set: how far they lay apart, and the report of their medians, judged by the worst of them. */
export async function tellGithubRepeats(
  records: readonly RunRecord[],
  text: string,
  terminal: Terminal,
): Promise<void> {
  await appendSummary(textBlock(text));
  await tellGithub(medianRecord(records), terminal);
}

/** The report as the step's summary, and an annotation for each target that is not met. Throws `cannot-write`, `usage`. */
export async function tellGithub(record: RunRecord, terminal: Terminal): Promise<void> {
  await appendSummary(markdownReporter.render(record));
  sayAnnotations(runAnnotations(record), terminal);
}

/** The same of a comparison, whose text goes into the summary as it stands. */
export async function tellGithubComparison(
  comparison: Comparison,
  text: string,
  terminal: Terminal,
): Promise<void> {
  await appendSummary(textBlock(text));
  sayAnnotations(comparisonAnnotations(comparison), terminal);
}

const textBlock = (text: string): string => `\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\`\n`;

function summaryPath(): string {
  const path = process.env[SUMMARY_VARIABLE];
  if (path === undefined || path === '')
    throw new ShiploadError('usage', `--github needs the variable ${SUMMARY_VARIABLE}`, {
      where: '--github',
      hint: 'GitHub Actions sets it for every step; elsewhere use report --as markdown or junit.',
    });
  return path;
}

async function appendSummary(markdown: string): Promise<void> {
  const path = summaryPath();
  await appendFile(path, markdown).catch((cause: unknown) => {
    throw writeError(path, cause);
  });
}

/** The runner reads commands on both streams; stderr leaves stdout to the result. */
function sayAnnotations(lines: readonly string[], terminal: Terminal): void {
  for (const line of lines) terminal.say(line);
}
