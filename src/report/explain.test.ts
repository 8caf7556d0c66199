import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../test/support/paths.ts';
import { samplePoolRecord, sampleRecord } from '../../test/support/sample-record.ts';
import type { ShapeResult } from '../model/shape-result.ts';
import { metricsOf } from '../record/compared-metrics.ts';
import { explainField } from './explain.ts';
import { renderExplanation } from './explanation-text.ts';
import { FIELD_RULES } from './explanations.ts';
import { toReportDocument } from './json.ts';

const document = toReportDocument(sampleRecord());

/** Paths of all numbers in a document. */
function numbersIn(value: unknown, path: string): string[] {
  if (typeof value === 'number') return [path];
  if (Array.isArray(value)) return value.flatMap((one, i) => numbersIn(one, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => numbersIn(one, path === '' ? key : `${path}.${key}`));
}

test('every number of a report has an explanation', () => {
  for (const report of [document, toReportDocument(samplePoolRecord())]) {
    const paths = numbersIn(report, '');
    assert.ok(paths.length > 100);
    for (const path of paths) {
      const explanation = explainField(report, path);
      assert.equal(explanation.field, path);
      assert.ok(explanation.meaning.length > 0 && explanation.source.length > 0, path);
    }
  }
});

interface SchemaNode {
  readonly type?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
}

/** Paths of all numbers that a schema allows, `[]` for any element and `*` for any name. */
function numbersAllowed(node: SchemaNode, path: string): string[] {
  const { additionalProperties: named, items, prefixItems = [], anyOf = [], oneOf = [] } = node;
  const own = node.type === 'number' || node.type === 'integer' ? [path] : [];
  return [
    ...own,
    ...[...anyOf, ...oneOf].flatMap((one) => numbersAllowed(one, path)),
    ...Object.entries(node.properties ?? {}).flatMap(([key, one]) =>
      numbersAllowed(one, path === '' ? key : `${path}.${key}`),
    ),
    ...(typeof named === 'object' ? numbersAllowed(named, `${path}.*`) : []),
    ...[...(items ? [items] : []), ...prefixItems].flatMap((one) => numbersAllowed(one, `${path}[]`)),
  ];
}

test('every number that the schema of a report allows has a rule', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'docs', 'schema', 'report.json'), 'utf8')) as SchemaNode;
  const paths = [...new Set(numbersAllowed(schema, ''))];
  assert.ok(paths.length > 200, `${paths.length}`);
  const unknown = paths.filter(
    (path) => (FIELD_RULES[path] ?? FIELD_RULES[path.replace(/\[\]$/, '')]) === undefined,
  );
  assert.deepEqual(unknown, []);
});

test('safety limits and transport of a plan are explained', () => {
  const plan = {
    ...document.plan,
    safety: { maxUsers: 500, maxRatePerSecond: 900, stopOnErrors: { ratio: 0.5, seconds: 10 } },
    transport: {
      streamsPerConnection: 4,
      requestsPerConnection: 100,
      maxRedirects: 3,
      connectTimeoutSeconds: 2,
      firstByteTimeoutSeconds: 3,
    },
  };
  for (const path of numbersIn(plan, 'plan'))
    assert.ok(explainField({ ...document, plan }, path).meaning.length > 0, path);
});

test('a percentile is explained with its interval, and with the mark that the table gives it', () => {
  const thin = explainField(document, 'steps[0].byRoute./search.p95Seconds');
  assert.equal(thin.isDoubtful, true);
  assert.match(renderExplanation(thin), /\? fewer than ten samples beyond/);
  const sure = explainField(document, 'steps[5].byRoute./search.p95Seconds');
  assert.equal(sure.isDoubtful, undefined);
  const interval = document.steps[5]!.byRoute['/search']!.p95Interval;
  assert.deepEqual(
    sure.inputs.flatMap(({ field, value }) => (field.includes('p95Interval') ? [value] : [])),
    interval === undefined ? [] : [interval.low, interval.high],
  );
});

/** One of each kind, with every figure that it can have. */
const SHAPE_RESULTS: readonly ShapeResult[] = [
  {
    kind: 'search',
    trials: [{ load: 200, stepCount: 3, passes: true, passProbability: 0.98 }],
    highestPassing: 200,
    lowestFailing: 210,
    confidenceRatio: 0.95,
    isNarrow: true,
    reason: 'between 200 and 210 users',
  },
  { kind: 'stress', brokenAt: 300, highestHeld: 250, reason: 'errors above 1 %' },
  {
    kind: 'spike',
    recovered: true,
    recoveredAfterSeconds: 12,
    observedSeconds: 60,
    drainedAfterSeconds: 9,
    expectedDrainSeconds: 8,
    capacityPerSecond: 240,
    baselineP95Seconds: 0.02,
    worstP95Seconds: 2.5,
    lostCount: 17,
    waitingCount: 3,
    metastable: false,
    reason: 'as before after 12 s',
  },
  {
    kind: 'write-cost',
    mixes: [
      {
        writeRatio: 0.1,
        measuredWriteRatio: 0.1,
        load: 50,
        throughputPerSecond: 90,
        serviceDemandSeconds: 0.003,
      },
    ],
    readDemandSeconds: 0.002,
    writeDemandSeconds: 0.01,
    costRatio: 5,
    basis: 'demand',
    reason: 'a write costs five reads',
  },
];

for (const shapeResult of SHAPE_RESULTS)
  test(`every number of what a ${shapeResult.kind} came to has an explanation`, () => {
    const report = { ...document, shapeResult };
    const paths = numbersIn(shapeResult, 'shapeResult');
    assert.ok(paths.length >= 2);
    for (const path of paths) assert.ok(explainField(report, path).meaning.length > 0, path);
  });

test('the name that a comparison gives a figure leads to the field it was read from', () => {
  for (const { name, value } of metricsOf(sampleRecord()))
    assert.equal(explainField(document, name).value, value, name);
});

test('throughput is explained by its law, with the inputs that make it', () => {
  const { value, formula, inputs, windowSeconds, sampleCount } = explainField(
    document,
    'steps[5].throughputPerSecond',
  );
  assert.equal(formula, 'X = C/T');
  assert.deepEqual(
    inputs.map(({ field }) => field),
    ['steps[5].completionCount', 'steps[5].windowSeconds'],
  );
  const [completions, window] = inputs.map((input) => Number(input.value));
  assert.ok(Math.abs(completions! / window! / Number(value) - 1) < 0.01, 'the inputs give the value');
  assert.equal(windowSeconds, 60);
  assert.equal(sampleCount, completions);
});

test('a resource’s demand names the same resource in its inputs', () => {
  const { inputs } = explainField(document, 'steps[5].serviceDemandSeconds.cpu');
  assert.deepEqual(
    inputs.map(({ field }) => field),
    ['steps[5].utilizationRatio.cpu', 'steps[5].serverCount.cpu', 'steps[5].throughputPerSecond'],
  );
});

test('a percentile of a route has the samples of that route behind it', () => {
  const { value, sampleCount, formula } = explainField(document, 'steps[5].byRoute./search.p95Seconds');
  assert.equal(value, 0.141);
  assert.equal(sampleCount, document.steps[5]!.byRoute['/search']!.sampleCount);
  assert.match(formula!, /nearest rank/);
});

test('what a check observed leads to the field of the step that it was read from', () => {
  const at = document.verdict.checks.findIndex(({ goal }) => goal.route === '/search');
  const { value, inputs } = explainField(document, `verdict.checks[${at}].observed`);
  const read = inputs.find(({ field }) => /^steps\[\d+\]\.byRoute\.\/search\.p95Seconds$/.test(field));
  assert.equal(read?.value, value);
});

test('a field that is not there is refused with what was probably meant', () => {
  const cases = [
    ['steps[5].troughputPerSecond', /Did you mean throughputPerSecond\?/],
    ['steps[99].users', /elements \[0\] to \[7\]/],
    ['steps[1].byRoute./serch.p95Seconds', /Did you mean \/search\?/],
    ['steps[1].users.more', /no parts/],
    ['knee.peak', /knee\.peak\.load/],
    ['steps', /steps\[0\]/],
  ] as const;
  for (const [path, hint] of cases)
    assert.throws(
      () => explainField(document, path),
      (error: { code?: string; hint?: string }) => error.code === 'option-invalid' && hint.test(error.hint!),
      path,
    );
});
