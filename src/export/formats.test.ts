import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedStep, request, simulatePlan } from '../../test/support/simulate.ts';
import { readRemoteWrite } from '../../test/support/remote-write-reader.ts';
import { parsePrometheusText } from '../counters/prometheus.ts';
import type { RunTotals } from '../model/measurement.ts';
import { influxLines } from './influx-lines.ts';
import { otlpRequest } from './otlp-json.ts';
import { prometheusText } from './prometheus-text.ts';
import { remoteWriteBody } from './remote-write.ts';
import { RunMetrics } from './run-metrics.ts';

const START = 1_764_500_000_000;
const plan = {
  seed: 7,
  shape: 'steps',
  requests: [request('/a', 0.75), request('/b "quoted", x=1\\', 0.25)],
  thinkTimeSeconds: { kind: 'constant', meanSeconds: 0.5 },
  requestTimeoutSeconds: 30,
  steps: [closedStep(0, 10, 2, 8), closedStep(1, 20, 2, 8)],
} as const;
const { events } = simulatePlan(plan, {
  stations: [{ name: 'cpu', serverCount: 1 }],
  visits: Object.fromEntries(
    plan.requests.map(({ id }) => [
      id,
      [{ station: 'cpu', service: { kind: 'exponential' as const, meanSeconds: 0.01 } }],
    ]),
  ),
});
const metrics = new RunMetrics('a run', START);
for (const event of events) if (event.kind === 'frame') metrics.add(event, event.step);
const snapshot = metrics.snapshot();
const finished = events.find((event) => event.kind === 'finished') as unknown as {
  readonly totals: RunTotals;
};
const { byRoute } = finished.totals;
const okTotal = byRoute.reduce((sum, { okCount }) => sum + okCount, 0);
const sentTotal = byRoute.reduce((sum, { sentCount }) => sum + sentCount, 0);

test('Prometheus: a parser of the text adds up to the totals of the run, route by route', () => {
  const { samples } = parsePrometheusText(prometheusText(snapshot));
  assert.ok(okTotal > 100);
  for (const { requestClassId, okCount, sentCount } of byRoute) {
    const of = (name: string, labels: Readonly<Record<string, string>>): number | undefined =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries({ request: requestClassId, ...labels }).every(
            ([key, value]) => sample.labels[key] === value,
          ),
      )?.value;
    assert.equal(of('shipload_requests_total', { outcome: 'ok' }), okCount);
    assert.equal(of('shipload_requests_sent_total', {}), sentCount);
    assert.equal(of('shipload_response_time_seconds_count', {}), okCount);
    assert.equal(of('shipload_response_time_seconds_bucket', { le: '+Inf' }), okCount);
    const buckets = samples.filter(
      ({ name, labels }) =>
        name === 'shipload_response_time_seconds_bucket' && labels['request'] === requestClassId,
    );
    assert.deepEqual(
      buckets.map(({ value }) => value),
      buckets.map(({ value }) => value).toSorted((a, b) => a - b),
    );
  }
});

test('OTLP: bucket counts add up to the count, and the points to the totals', () => {
  interface Point {
    readonly attributes: readonly {
      readonly key: string;
      readonly value: { readonly stringValue: string };
    }[];
    readonly asDouble: number;
    readonly count: string;
    readonly bucketCounts: readonly string[];
    readonly explicitBounds: readonly number[];
    readonly timeUnixNano: string;
  }
  const body = JSON.parse(JSON.stringify(otlpRequest(snapshot))) as {
    resourceMetrics: { scopeMetrics: { metrics: Record<string, { dataPoints: Point[] }>[] }[] }[];
  };
  const list = body.resourceMetrics[0]!.scopeMetrics[0]!.metrics;
  const named = (name: string) => list.find((metric) => (metric['name'] as unknown) === name)!;
  const sent = named('shipload_requests_sent')['sum']!.dataPoints;
  assert.equal(
    sent.reduce((sum, { asDouble }) => sum + asDouble, 0),
    sentTotal,
  );
  const times = named('shipload_response_time_seconds')['histogram']!.dataPoints;
  for (const { count, bucketCounts, explicitBounds } of times) {
    assert.equal(bucketCounts.length, explicitBounds.length + 1);
    assert.equal(
      bucketCounts.reduce((sum, one) => sum + Number(one), 0),
      Number(count),
    );
  }
  assert.equal(
    times.reduce((sum, { count }) => sum + Number(count), 0),
    okTotal,
  );
  assert.equal(sent[0]!.timeUnixNano, `${snapshot.atMilliseconds}000000`);
});

/** A line of the protocol, its escapes undone. */
function readInflux(line: string): {
  name: string;
  tags: Record<string, string>;
  value: number;
  time: string;
} {
  const [head, field, time] = line.split(/(?<!\\) /) as [string, string, string];
  const [name, ...tags] = head.split(/(?<!\\),/) as [string, ...string[]];
  const plain = (text: string): string => text.replaceAll(/\\([ ,=\\])/g, '$1');
  const pairs = tags.map((tag) => tag.split(/(?<!\\)=/).map(plain) as [string, string]);
  return { name, tags: Object.fromEntries(pairs), value: Number(field.replace('value=', '')), time };
}

test('Influx: the lines add up to the totals, foreign names in their tags', () => {
  const lines = influxLines(snapshot).trimEnd().split('\n').map(readInflux);
  const sent = lines.filter(({ name }) => name === 'shipload_requests_sent_total');
  assert.equal(
    sent.reduce((sum, { value }) => sum + value, 0),
    sentTotal,
  );
  assert.deepEqual(
    sent.map(({ tags }) => tags['route']),
    plan.requests.map(({ route }) => route.replace('\\', '/')),
  );
  for (const { time, value } of lines) {
    assert.equal(time, `${snapshot.atMilliseconds}000000`);
    assert.ok(Number.isFinite(value));
  }
});

test('remote write: a reader of snappy and protocol buffers finds the series of the text, sorted labels included', () => {
  const series = readRemoteWrite(remoteWriteBody(snapshot));
  const { samples } = parsePrometheusText(prometheusText(snapshot));
  assert.equal(series.length, samples.length);
  for (const [i, { labels, value, atMilliseconds }] of series.entries()) {
    const names = labels.map(([name]) => name);
    assert.deepEqual(names, names.toSorted());
    assert.equal(new Map(labels).get('__name__'), samples[i]!.name);
    assert.equal(value, samples[i]!.value);
    assert.equal(atMilliseconds, snapshot.atMilliseconds);
  }
});
