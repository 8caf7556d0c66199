import type { Command } from '../command.ts';
import { agent } from './agent.ts';
import { allow } from './allow.ts';
import { analyze } from './analyze.ts';
import { compare } from './compare.ts';
import { completionOf } from './completion.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { importResults } from './import.ts';
import { init } from './init.ts';
import { exportRun } from './export.ts';
import { isolate } from './isolate.ts';
import { model } from './model.ts';
import { predict } from './predict.ts';
import { record } from './record.ts';
import { report } from './report.ts';
import { run } from './run.ts';
import { serve } from './serve.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  model,
  run,
  isolate,
  predict,
  analyze,
  importResults,
  report,
  explain,
  compare,
  record,
  exportRun,
  serve,
  agent,
  demo,
  init,
  allow,
  doctor,
  completionOf(() => COMMANDS),
];
