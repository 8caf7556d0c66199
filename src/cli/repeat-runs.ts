import { dirname, join } from 'node:path';
import { EXIT } from '../errors.ts';
import type { NoiseFloor, RunRecord } from '../model/record.ts';
import { spreadsOf } from '../record/noise-floor.ts';
import { renderComparison } from '../report/comparison-text.ts';
import { toComparisonDocument, toReportDocument } from '../report/json.ts';
import { renderRepeats } from '../report/repeats-text.ts';
import type { TextStyle } from '../report/reporter.ts';
import { compareRuns } from '../session/compare-runs.ts';
import { rememberNoiseFloor } from '../session/noise-floors.ts';
import { repeatOrder } from '../session/repeat-run.ts';
import { withSharedServerCount } from '../session/shared-server-count.ts';
import { tellGithubComparison, tellGithubRepeats } from './github.ts';
import type { Terminal } from './terminal.ts';

/** The runs of one side: where they go, how one is made, and what has been recorded. */
export interface RepeatSide {
  readonly folder: string;
  readonly run: (path: string, isLast: boolean) => Promise<{ record: RunRecord; exitCode: number }>;
}

export interface RepeatSettings {
  readonly count: number;
  readonly json: boolean;
  /** Also for GitHub Actions: summary and annotations of the whole set. */
  readonly github: boolean;
  readonly terminal: Terminal;
}

/**
 * Runs every side `count` times, the sides in turn, and says how far equal runs lay apart; with two sides, what
 * differs between them; `--json` prints the reports of one side as a list. The noise floor is stored beside the folder of the set. Stops at the first run that did
 * not come to its end. The exit code is the highest of the runs', with two sides 1 for a regression.
 */
export async function repeatRuns(sides: readonly RepeatSide[], settings: RepeatSettings): Promise<number> {
  const { count, terminal } = settings;
  const records = new Map<RepeatSide, RunRecord[]>(sides.map((side) => [side, []]));
  let exitCode: number = EXIT.done;
  for (const { side, number } of repeatOrder(sides, count)) {
    const path = join(side.folder, String(number));
    terminal.say(`Run ${number} of ${count}: ${path}`);
    const { record, exitCode: code } = await side.run(path, number === count);
    records.get(side)!.push(record);
    exitCode = Math.max(exitCode, code);
    if (record.manifest.state !== 'completed') return exitCode;
  }
  for (const [side, own] of records) records.set(side, [...withSharedServerCount(own)]);
  const floors = await floorsOf(sides, records);
  const [before, after] = sides.map((side) => records.get(side)!);
  if (after === undefined) await tellRepeats(before!, floors[0], sides[0]!.folder, settings);
  else exitCode = Math.max(exitCode, await tellComparison(before!, after, widest(floors), settings));
  return exitCode;
}

/** The floor of each side with at least two runs, stored in the folder of all runs. */
async function floorsOf(
  sides: readonly RepeatSide[],
  records: ReadonlyMap<RepeatSide, readonly RunRecord[]>,
): Promise<NoiseFloor[]> {
  const floors: NoiseFloor[] = [];
  for (const side of sides) {
    const runs = records.get(side)!;
    if (runs.length > 1) floors.push(await rememberNoiseFloor(dirname(side.folder), runs));
  }
  return floors;
}

/** The two sides are one plan on one machine: the larger of their floors holds. */
function widest([first, second]: readonly NoiseFloor[]): NoiseFloor | undefined {
  if (first === undefined || second === undefined) return first;
  const larger = Object.entries(first.ratios).map(([name, ratio]): [string, number] => [
    name,
    Math.max(ratio, second.ratios[name] ?? 0),
  ]);
  return { ...first, ratios: { ...second.ratios, ...Object.fromEntries(larger) } };
}

const plain = ({ width }: Terminal): TextStyle => ({ width, color: false });

async function tellRepeats(
  records: readonly RunRecord[],
  floor: NoiseFloor | undefined,
  folder: string,
  { json, github, terminal }: RepeatSettings,
): Promise<void> {
  const text = (style: TextStyle): string => renderRepeats(records, spreadsOf(records), folder, floor, style);
  terminal.print(json ? `${JSON.stringify(records.map(toReportDocument), null, 1)}\n` : text(terminal));
  if (github) await tellGithubRepeats(records, text(plain(terminal)), terminal);
}

async function tellComparison(
  before: readonly RunRecord[],
  after: readonly RunRecord[],
  floor: NoiseFloor | undefined,
  { json, github, terminal }: RepeatSettings,
): Promise<number> {
  const compared = compareRuns(before, after, floor);
  const { comparison } = compared;
  const text = (style: TextStyle): string =>
    renderComparison(comparison, compared.before, compared.after, style);
  terminal.print(json ? `${JSON.stringify(toComparisonDocument(comparison), null, 1)}\n` : text(terminal));
  if (github) await tellGithubComparison(comparison, text(plain(terminal)), terminal);
  return comparison.regression ? EXIT.targetMissed : EXIT.done;
}
