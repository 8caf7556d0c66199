import { appendFile } from 'node:fs/promises';
import type { Comparison, RunRecord } from '../model/record.ts';
import { comparisonAnnotations, runAnnotations } from '../report/annotations.ts';
import { markdownReporter } from '../report/markdown.ts';
import { ShiploadError } from '../errors.ts';
import { writeError } from '../host/write-file.ts';
import type { Terminal } from './terminal.ts';

const SUMMARY_VARIABLE = 'GITHUB_STEP_SUMMARY';

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
  await appendSummary(`\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\`\n`);
  sayAnnotations(comparisonAnnotations(comparison), terminal);
}

async function appendSummary(markdown: string): Promise<void> {
  const path = process.env[SUMMARY_VARIABLE];
  if (path === undefined || path === '')
    throw new ShiploadError('usage', `--github needs the variable ${SUMMARY_VARIABLE}`, {
      where: '--github',
      hint: 'GitHub Actions sets it for every step; elsewhere use report --as markdown or junit.',
    });
  await appendFile(path, markdown).catch((cause: unknown) => {
    throw writeError(path, cause);
  });
}

/** The runner reads commands on both streams; stderr leaves stdout to the result. */
function sayAnnotations(lines: readonly string[], terminal: Terminal): void {
  for (const line of lines) terminal.say(line);
}
