import assert from 'node:assert/strict';
import test from 'node:test';
import { ShiploadError } from '../errors.ts';
import { parsePrometheusText, sumOfSamples } from './prometheus.ts';

const PAGE = `# HELP http_requests_total Requests answered.\\nBy route.
# TYPE http_requests_total counter
http_requests_total{route="/books/[id]",status="200"} 1027 1395066363000
http_requests_total{ route = "/search" , status = "400", }    3
# a remark of no meaning

# TYPE odd gauge
odd{text="quote \\" brace } backslash \\\\ line\\nend",empty=""} -1.5e-3
odd NaN
odd{sign="plus"} +Inf
odd{sign="minus"} -Inf
bare 7
`;

test('samples keep labels with escapes, values beyond the numbers, and millisecond timestamps', () => {
  const { samples } = parsePrometheusText(PAGE);
  assert.deepEqual(samples, [
    {
      name: 'http_requests_total',
      labels: { route: '/books/[id]', status: '200' },
      value: 1027,
      timestampSeconds: 1395066363,
    },
    { name: 'http_requests_total', labels: { route: '/search', status: '400' }, value: 3 },
    { name: 'odd', labels: { text: 'quote " brace } backslash \\ line\nend', empty: '' }, value: -0.0015 },
    { name: 'odd', labels: {}, value: NaN },
    { name: 'odd', labels: { sign: 'plus' }, value: Infinity },
    { name: 'odd', labels: { sign: 'minus' }, value: -Infinity },
    { name: 'bare', labels: {}, value: 7 },
  ]);
});

test('types and help are kept by family', () => {
  const { types, help } = parsePrometheusText(PAGE);
  assert.deepEqual(Object.fromEntries(types), { http_requests_total: 'counter', odd: 'gauge' });
  assert.equal(help.get('http_requests_total'), 'Requests answered.\nBy route.');
});

test('an OpenMetrics exemplar is neither a timestamp nor a value, and timestamps are seconds', () => {
  const text = `# TYPE foo histogram
foo_bucket{le="0.01"} 0
foo_bucket{le="0.1"} 8 # {} 0.054
foo_bucket{le="1"} 11 1520879607.5 # {trace_id="KO # 5s}"} 0.67 1520879606.1
# EOF
`;
  assert.deepEqual(parsePrometheusText(text).samples.slice(1), [
    { name: 'foo_bucket', labels: { le: '0.1' }, value: 8 },
    { name: 'foo_bucket', labels: { le: '1' }, value: 11, timestampSeconds: 1520879607.5 },
  ]);
});

test('Windows line ends and an empty page are read', () => {
  assert.equal(parsePrometheusText('a 1\r\nb 2\r\n').samples.length, 2);
  assert.deepEqual(parsePrometheusText('').samples, []);
});

test('samples are summed over the labels that are not asked for', () => {
  const page = parsePrometheusText('r{a="1",b="1"} 2\nr{a="1",b="2"} 3\nr{a="2",b="1"} 5\n');
  assert.equal(sumOfSamples(page, 'r', { a: '1' }), 5);
  assert.equal(sumOfSamples(page, 'r'), 10);
  assert.equal(sumOfSamples(page, 'r', { a: '3' }), undefined);
});

for (const [line, reason] of [
  ['<html>', /metric name/],
  ['up{job="a" 1', /labels/],
  ['up{job=a} 1', /labels/],
  ['up{a="1" b="2"} 1', /labels/],
  ['up one', /'one' is not a number/],
  ['up', /'' is not a number/],
  ['up 1 soon', /'soon' is not a timestamp/],
  ['up 0x1F', /not a number/],
] as const) {
  test(`a page with the line ${line} is refused with its line number`, () => {
    assert.throws(
      () => parsePrometheusText(`good 1\n${line}\n`),
      (error: unknown) =>
        error instanceof ShiploadError &&
        error.code === 'metrics-unreadable' &&
        error.where === 'line 2' &&
        reason.test(error.message),
    );
  });
}
