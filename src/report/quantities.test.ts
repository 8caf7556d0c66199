import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as q from './quantities.ts';

test('a wide character takes two columns and a mark none, so that tables stay straight', () => {
  assert.equal(q.displayWidth('/書籍/é'), 1 + 4 + 2);
  assert.equal(q.displayWidth('e\u0301'), 1);
  assert.equal(q.displayWidth(q.alignLeft('書', 5)), 5);
  assert.equal(q.cutTo('書籍書籍', 6), '書籍…');
  assert.equal(q.cutTo('書籍', 4), '書籍');
});

const cases: readonly [string, string, string][] = [
  ['what is a hair above all reads as all', q.percent(1.000001), '100 %'],
  ['what is a hair below all does not', q.percent(0.99998), '99.998 %'],
  ['a demand far below a millisecond keeps its digits', q.duration(0.00021), '0.21 ms'],
  ['a demand of milliseconds has three digits', q.duration(0.0313), '31.3 ms'],
  ['a second and a half is in seconds', q.duration(1.45), '1.45 s'],
  ['a value that rounds to one second is in seconds', q.duration(0.9996), '1.00 s'],
  ['99.96 ms rounds up without a false decimal', q.duration(0.09996), '100 ms'],
  ['a third of a millisecond is not 0 ms', q.duration(0.0003), '0.30 ms'],
  ['zero is zero', q.duration(0), '0 ms'],
  ['a missing duration is a dash', q.duration(undefined), '–'],
  ['NaN is a dash', q.rate(Number.NaN), '–'],
  ['infinity is a dash', q.percent(Infinity), '–'],
  ['a given think time has no trailing zeros', q.givenDuration(2.5), '2.5 s'],
  ['a given limit is in milliseconds', q.givenDuration(0.1), '100 ms'],
  ['throughput has one decimal', q.rate(97.93), '97.9/s'],
  ['throughput above a hundred keeps its decimal', q.rate(131.7), '131.7/s'],
  ['throughput in thousands has none', q.rate(12771.3), '12771/s'],
  ['999.97 rounds into the thousands', q.rate(999.97), '1000/s'],
  ['small throughput keeps two digits', q.rate(0.497), '0.50/s'],
  ['a whole percentage has no decimals', q.percent(0.7), '70 %'],
  ['a percentage beyond a limit shows that it is', q.percent(0.704), '70.4 %'],
  ['a small percentage keeps its digits', q.percent(0.0034), '0.34 %'],
  ['almost all is not all', q.percent(0.99996), '99.996 %'],
  ['all is all', q.percent(1), '100 %'],
  ['utilization has two decimals', q.utilization(0.7), '0.70'],
  ['a tiny utilization is not 0.00', q.utilization(0.001), '0.001'],
  ['a generator at a per mille shows it', q.utilization(0.014, 3), '0.014'],
  ['a tiny coefficient has an exponent', q.coefficient(1.8e-6), '1.8e-6'],
  ['a coefficient of zero is zero', q.coefficient(0), '0'],
  ['the ends of an interval share a unit', q.quantityRange([0.101, 0.109], 'seconds'), '101–109 ms'],
  ['ends with different units keep both', q.quantityRange([0.9, 1.2], 'seconds'), '900 ms–1.20 s'],
  ['the ends of a rate share the slash', q.quantityRange([97.1, 99], 'perSecond'), '97.1–99.0/s'],
  ['counts are grouped in prose', q.count(89345), '89,345'],
  ['memory is in decimal megabytes', q.bytes(116e6), '116 MB'],
  ['a few bytes are whole', q.bytes(512), '512 B'],
  ['a saturation estimate is whole users', q.load(268.3), '268'],
  ['a knee below ten keeps decimals', q.load(4.15), '4.15'],
  ['a ratio reads as times', q.times(0.019), '×0.019'],
  ['a loss has a true minus sign', q.signedPercent(-0.12), '−12 %'],
  ['one step is singular', q.counted(1, 'step'), '1 step'],
  ['an interval joins its ends', q.range([200, 250], q.load), '200–250'],
];

for (const [title, actual, expected] of cases) test(title, () => assert.equal(actual, expected));

test('a printed duration is within half a percent (3 digits) or 5 % (2 digits) of the value, at any size', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e5, noNaN: true }), (seconds) => {
      const [digits, unit] = q.duration(seconds).split(' ') as [string, string];
      const back = Number(digits) * (unit === 'ms' ? 1e-3 : 1);
      const allowed = Number(digits) < 1 ? 0.051 : 0.0051;
      assert.ok(Math.abs(back - seconds) <= allowed * seconds, `${seconds} printed as ${digits} ${unit}`);
    }),
    { seed: 7 },
  );
});

test('alignment counts code points, not UTF-16 units', () => {
  assert.equal(q.alignRight('𝒳', 3), '  𝒳');
  assert.equal(q.alignLeft('–', 3), '–  ');
});

test('a difference that is rounding alone is 0 %', () => {
  assert.equal(q.signedPercent(2.2e-16), q.signedPercent(0));
});
