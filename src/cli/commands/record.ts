import { EXIT } from '../../errors.ts';
import { compareRecords } from '../../record/compare-records.ts';
import { renderRecordDocument } from '../../report/record-document.ts';
import { withSharedServerCount } from '../../session/shared-server-count.ts';
import { readRun } from '../../session/stored-run.ts';
import type { Command } from '../command.ts';
import { writeOutput } from '../write-output.ts';

export const record: Command = {
  name: 'record',
  usage: '<run...>',
  summary:
    'the load-test record in markdown: target, workload, result before, cause, fix, result after, follow-up',
  options: ['fix', 'out'],
  example: "shipload record runs/before runs/after --fix 'search results cached' -o record.md",
  async run(paths, options, { terminal }) {
    const read = [];
    for (const path of paths) read.push(await readRun(path));
    const records = withSharedServerCount(read);
    const [first] = records;
    const last = records.at(-1);
    const comparison = records.length > 1 ? compareRecords([first!], [last!]) : undefined;
    const text = renderRecordDocument(records, {
      ...(options.fix !== undefined && { fix: options.fix }),
      ...(comparison !== undefined && { comparison }),
    });
    const output =
      options.json === true
        ? `${JSON.stringify({ kind: 'record-document', schemaVersion: 1, markdown: text })}\n`
        : text;
    await writeOutput(output, options.out, terminal);
    return EXIT.done;
  },
};
