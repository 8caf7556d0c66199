/**
 * npm run bench:diagnosis [-- --only pool,cpu] [--runs 3] [--results FILE] [--record FOLDER] [--write]
 *
 * Runs every member of the zoo with its fault, without it, and as its near miss, under routes with random names,
 * and prints the confusion matrix. With --results the runs are added to those in FILE, so that members can be run one
 * by one; with --record the measurements of each first run are kept for the tests; with --write the matrix
 * is kept in docs/diagnosis-matrix.md, with what --note says of the machine.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { namedCauses } from '../src/analysis/rules/index.ts';
import { diagnoseMember } from '../src/demo/zoo/diagnose.ts';
import { findMember, VARIANTS, ZOO, type Variant, type ZooMember } from '../src/demo/zoo/index.ts';
import type { RunRecord } from '../src/model/record.ts';
import { confusionMatrix, type DiagnosedRun, isRight, memberTable, summary } from './diagnosis-matrix.ts';

/** A generator this late on half of the steps or more had no machine to measure with. */
const LATE_SECONDS = 0.02;
const MOST_ATTEMPTS = 3;
const ONE_TARGET = { draw: 'uniform', targets: ['/'], distinctCount: 1 } as const;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string' },
    record: { type: 'string' },
    note: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

function isDisturbed({ analysis }: RunRecord): boolean {
  const late = analysis.steps.filter((row) => (row.generator?.scheduleLagP99Seconds ?? 0) > LATE_SECONDS);
  return 2 * late.length >= analysis.steps.length;
}

async function diagnose(member: ZooMember, variant: Variant, seed: number): Promise<DiagnosedRun> {
  let record = await diagnoseMember(member, variant, seed);
  let disturbedCount = 0;
  for (; disturbedCount + 1 < MOST_ATTEMPTS && isDisturbed(record); disturbedCount += 1) {
    record = await diagnoseMember(member, variant, seed);
  }
  if (values.record !== undefined && seed === Number(values.seed)) keep(record, `${member.name}-${variant}`);
  const truth = variant === 'off' ? undefined : member.expected[variant];
  return {
    member: member.name,
    variant,
    seed,
    ...(truth !== undefined && { truth }),
    named: namedCauses(record.analysis.findings).map(({ ruleId }) => ruleId),
    disturbedCount,
  };
}

/** What the rules need of a run, packed. */
function keep({ manifest, measurements }: RunRecord, name: string): void {
  const { plan, environment, service } = manifest;
  const kept = {
    ...manifest,
    environment: { ...environment, cpuModel: 'recorded' },
    service: { url: 'http://127.0.0.1/', sameHost: service.sameHost },
    plan: { ...plan, requests: plan.requests.map((request) => ({ ...request, targets: ONE_TARGET })) },
  };
  const text = JSON.stringify({ manifest: kept, measurements });
  writeFileSync(join(values.record!, `${name}.json.gz`), gzipSync(text, { level: 9 }));
}

const stored: DiagnosedRun[] =
  values.results !== undefined && existsSync(values.results)
    ? (JSON.parse(readFileSync(values.results, 'utf8')) as DiagnosedRun[])
    : [];
const members =
  values.only === undefined
    ? ZOO
    : values.only
        .split(',')
        .filter((name) => name !== '')
        .map(findMember);
const names = new Set(members.map(({ name }) => name));
const runs = stored.filter(({ member }) => !names.has(member));
const leftOut: string[] = [];
for (const member of members) {
  const obstacle = member.obstacle?.();
  if (obstacle !== undefined) leftOut.push(`${member.name}: ${obstacle}`);
  for (const variant of VARIANTS) {
    if (variant === 'on' && obstacle !== undefined) continue;
    for (let run = 0; run < Number(values.runs); run += 1) {
      const result = await diagnose(member, variant, Number(values.seed) + run);
      runs.push(result);
      const said = result.named.join(', ') || 'nothing';
      console.error(
        `${isRight(result) ? 'right' : 'WRONG'}  ${member.name} ${variant} ${result.seed}: ${said}`,
      );
    }
  }
}
if (values.results !== undefined) writeFileSync(values.results, JSON.stringify(runs));
const text = [
  confusionMatrix(runs),
  memberTable(runs),
  summary(runs),
  ...(values.note === undefined ? [] : [values.note]),
  ...leftOut.map((line) => `Not made on this machine: ${line}.`),
].join('\n\n');
console.log(text);
if (values.write) writeFileSync('docs/diagnosis-matrix.md', `${heading()}${text}\n`);
process.exitCode = runs.every(isRight) ? 0 : 1;

/** What stands above the matrix in the documentation. */
function heading(): string {
  return (
    '# Diagnosis: the confusion matrix\n\n' +
    'Made by `npm run bench:diagnosis -- --write`: every member of the fault zoo with its fault (on), without it ' +
    '(off) and as its near miss (twin), under routes with random names. A run is right when the leading cause is the ' +
    'true one, or none is named where there is none.\n\n'
  );
}
