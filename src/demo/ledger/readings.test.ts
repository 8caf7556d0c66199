import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../test/support/paths.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import type { LedgerFix } from './fixes.ts';
import type { LedgerMix } from './mix.ts';
import { ledgerMoves, type LedgerSweep, readLedger, readWriteCostRatio, writeInReads } from './readings.ts';

const { workerSweep } = JSON.parse(readFileSync(fixture('case', 'published-tables.json'), 'utf8')) as {
  workerSweep: { workers: number[]; readHeavyX: number[]; writeHeavyX: number[] };
};

const sweep = (mix: LedgerMix, fixes: readonly LedgerFix[], curve: readonly number[]): LedgerSweep => ({
  mix,
  fixes,
  rows: curve.map((throughputPerSecond, index) =>
    stepRow({ index, concurrency: workerSweep.workers[index]!, throughputPerSecond }),
  ),
});

test('the published sweeps: the read-heavy mix carries 3.1 times as much', () => {
  const peaks = [workerSweep.readHeavyX, workerSweep.writeHeavyX].map((curve) => Math.max(...curve));
  assert.equal(readWriteCostRatio(peaks[0]!, peaks[1]!).toFixed(1), '3.1');
});

test('what a write costs in reads follows from the peaks of both mixes', () => {
  // S_write = 5 ms, S_read = 1 ms: 1/X = 0.1·5 + 0.9·1 = 1.4 ms and 0.9·5 + 0.1·1 = 4.6 ms.
  assert.ok(Math.abs(writeInReads(1 / 1.4e-3, 1 / 4.6e-3)! - 5) < 1e-9);
  assert.equal(writeInReads(1000, 10), undefined);
});

test('remedies are told apart by what they do to the peak', () => {
  const sweeps = [
    sweep('read-heavy', [], [500, 900]),
    sweep('read-heavy', ['batch'], [500, 950]),
    sweep('write-heavy', [], [100, 120]),
    sweep('write-heavy', ['batch'], [100, 1200]),
    sweep('write-heavy', ['wal'], [180, 240]),
    sweep('write-heavy', ['readers'], [100, 125]),
  ];
  assert.deepEqual(
    ledgerMoves(sweeps).map(({ mix, fixes, after }) => [mix, fixes[0], after]),
    [
      ['read-heavy', 'batch', 950],
      ['write-heavy', 'batch', 1200],
      ['write-heavy', 'wal', 240],
      ['write-heavy', 'readers', 125],
    ],
  );
  const said = readLedger(sweeps).join('\n');
  assert.match(said, /read-heavy: no remedy moves the peak/);
  assert.match(
    said,
    /write-heavy: the peak is moved by batch times 10 .*, then wal times 2 .*; readers does not/,
  );
});
