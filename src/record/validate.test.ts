import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../test/support/paths.ts';
import {
  sampleAfterRecord,
  sampleComparison,
  sampleIsolation,
  samplePoolRecord,
  sampleRecord,
  sampleWorkload,
} from '../../test/support/sample-record.ts';
import { ShiploadError } from '../errors.ts';
import { toComparisonDocument, toIsolationDocument, toReportDocument } from '../report/json.ts';
import { jsonSchemaText, SCHEMAS } from './schema/index.ts';
import { parseRunManifest, parseRunRecord, parseWorkload } from './validate.ts';

const names = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];
const schemaFolder = join(ROOT, 'docs', 'schema');

for (const name of names)
  test(`docs/schema/${name}.json is in step with the code (else: node dist/test/support/write-schemas.js)`, () => {
    assert.equal(readFileSync(join(schemaFolder, `${name}.json`), 'utf8'), jsonSchemaText(name));
  });

test('docs/schema holds nothing else', () => {
  const expected = [...names, 'plan-file'].map((name) => `${name}.json`);
  assert.deepEqual(readdirSync(schemaFolder).sort(), expected.sort());
});

const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const documents: readonly [string, keyof typeof SCHEMAS, unknown][] = [
  ['a workload', 'workload', sampleWorkload()],
  ['the report of a run with users', 'report', toReportDocument(sampleRecord())],
  [
    'the report of a run with a workload',
    'report',
    toReportDocument({ ...sampleRecord(), workload: sampleWorkload() }),
  ],
  ['the report of a sweep with workers', 'report', toReportDocument(samplePoolRecord())],
  ['an isolation', 'isolation', toIsolationDocument(sampleIsolation())],
  ['a comparison', 'comparison', toComparisonDocument(sampleComparison())],
  ['a manifest', 'run', sampleRecord().manifest],
  ['a record', 'record', sampleAfterRecord()],
];
for (const [title, name, document] of documents)
  test(`${title} validates, and its schema knows every field of it`, () => {
    assert.deepEqual(SCHEMAS[name].parse(stored(document)), stored(document));
  });

test('a report holds neither histograms nor request headers', () => {
  const record = sampleRecord();
  const [request, ...others] = record.manifest.plan.requests;
  const plan = {
    ...record.manifest.plan,
    requests: [{ ...request!, headers: { authorization: 'secret-token' } }, ...others],
  };
  const text = JSON.stringify(toReportDocument({ ...record, manifest: { ...record.manifest, plan } }));
  assert.doesNotMatch(text, /secret-token|"bins"|"measurements"/);
});

test('what is read back is the value itself, unknown fields kept', () => {
  const value = { ...stored(sampleRecord()), addedLater: 1 };
  assert.equal(parseRunRecord(value, 'record.json'), value);
  assert.deepEqual(parseRunManifest(value.manifest, 'run.json'), value.manifest);
});

/** Puts `value` at the path of a stored document. */
function spoiled(document: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const copy = stored(document) as Record<string | number, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  holder[path.at(-1)!] = value;
  return copy;
}

type Reader = (value: unknown, file: string) => unknown;
const faults: readonly [string, Reader, unknown, ErrorExpected][] = [
  [
    'a share of more than one',
    parseWorkload,
    spoiled(sampleWorkload(), ['requestClasses', 1, 'shareRatio'], 1.2),
    { code: 'workload-invalid', where: 'f.json: requestClasses[1].shareRatio' },
  ],
  [
    'a text for a number',
    parseWorkload,
    spoiled(sampleWorkload(), ['thinkTimeSeconds', 'mean'], '2 s'),
    { code: 'workload-invalid', where: 'f.json: thinkTimeSeconds.mean' },
  ],
  ['no object at all', parseWorkload, [], { code: 'workload-invalid', where: 'f.json: (the whole file)' }],
  [
    'a newer schema',
    parseRunManifest,
    spoiled(sampleRecord().manifest, ['schemaVersion'], 2),
    { code: 'record-invalid', where: 'f.json: schemaVersion' },
  ],
  [
    'a percentile of a route that is text',
    parseRunRecord,
    spoiled(sampleRecord(), ['analysis', 'steps', 0, 'byRoute', '/books/[id]', 'p95Seconds'], 'fast'),
    { code: 'record-invalid', where: 'f.json: analysis.steps[0].byRoute["/books/[id]"].p95Seconds' },
  ],
  [
    'a missing verdict',
    parseRunRecord,
    spoiled(sampleRecord(), ['verdict'], undefined),
    { code: 'record-invalid', where: 'f.json: verdict' },
  ],
];
interface ErrorExpected {
  readonly code: string;
  readonly where: string;
}
for (const [title, read, value, expected] of faults)
  test(`${title} is refused with the field's path`, () => {
    assert.throws(
      () => read(value, 'f.json'),
      (error) => {
        assert.ok(error instanceof ShiploadError);
        assert.deepEqual({ code: error.code, where: error.where }, expected);
        assert.ok((error.hint ?? '').length > 0);
        return true;
      },
    );
  });

for (const { title, targets, field } of [
  {
    title: 'counts of another length',
    targets: { draw: 'counted', targets: ['/a', '/b'], counts: [1], distinctCount: 2 },
    field: 'targets.counts',
  },
  {
    title: 'nothing to draw',
    targets: { draw: 'counted', targets: ['/a'], counts: [0], distinctCount: 1 },
    field: 'targets.counts',
  },
  {
    title: 'no counts where targets are counted',
    targets: { draw: 'counted', targets: ['/a'], distinctCount: 1 },
    field: 'targets.counts',
  },
  {
    title: 'a target that leads elsewhere',
    targets: { draw: 'uniform', targets: ['/a', 'http://example.com/x'], distinctCount: 2 },
    field: 'targets.targets[1]',
  },
] as const) {
  test(`a workload edited by hand is refused with its field: ${title}`, () => {
    const [first, ...rest] = sampleWorkload().requestClasses;
    const edited = { ...sampleWorkload(), requestClasses: [{ ...first!, targets }, ...rest] };
    assert.throws(
      () => parseWorkload(edited, 'workload.json'),
      (error) =>
        error instanceof ShiploadError &&
        error.exitCode === 2 &&
        error.where === `workload.json: requestClasses[0].${field}`,
    );
  });
}
