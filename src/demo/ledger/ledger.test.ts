import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../host/free-port.ts';
import { startService } from '../../host/service-process.ts';
import { createLedgerDatabase, ledgerCommand, LEDGER_READY_PATH, type LedgerFix } from './index.ts';
import { createReadCache } from './read-cache.ts';

const hasLibsql = await import('libsql').then(
  () => true,
  () => false,
);
const skip = hasLibsql ? false : 'libsql has no binary here';

async function withLedger(fixes: readonly LedgerFix[], use: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-ledger-'));
  const database = join(folder, 'ledger.sqlite');
  await createLedgerDatabase(database);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    command: ledgerCommand({ port, database, fixes }),
    url: `${url}/`,
    readyPath: LEDGER_READY_PATH,
    readyTimeoutSeconds: 20,
  });
  try {
    await use(url);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const metricsOf = async (url: string): Promise<Readonly<Record<string, number>>> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
};

const write = async (url: string): Promise<number> =>
  (await fetch(`${url}/entries`, { method: 'POST', body: 'a sale' })).status;

for (const fixes of [[], ['wal', 'batch', 'readers']] as const) {
  test(`the ledger reads, writes and counts, ${fixes.join(', ') || 'as it is'}`, { skip }, () =>
    withLedger(fixes, async (url) => {
      const twenty = await Promise.all(Array.from({ length: 20 }, () => write(url)));
      assert.deepEqual(new Set(twenty), new Set([201]));
      const added = (await (await fetch(`${url}/entries/10020`)).json()) as { note: string };
      assert.equal(added.note, 'a sale');
      assert.equal((await fetch(`${url}/entries/10021`)).status, 404);
      await fetch(`${url}/entries/10020`);
      const metrics = await metricsOf(url);
      assert.equal(metrics['ledger_cache_hits_total'], 1);
      assert.equal(metrics['ledger_cache_misses_total'], 2);
      assert.ok(metrics['ledger_lock_held_seconds_total']! > 0);
      // Twenty that came together waited for one another; in one transaction they hardly do.
      const waits = metrics['ledger_lock_wait_seconds_total']! / metrics['ledger_lock_held_seconds_total']!;
      assert.ok(fixes.length > 0 || waits > 3, `waited ${waits} times as long as the lock was held`);
    }),
  );
}

test('the cache keeps what was read last and counts both ways', () => {
  const cache = createReadCache(2);
  cache.set(1, 'one');
  cache.set(2, 'two');
  assert.equal(cache.get(1), 'one');
  cache.set(3, 'three');
  assert.equal(cache.get(2), undefined);
  assert.equal(cache.get(1), 'one');
  assert.deepEqual([cache.hitCount, cache.missCount], [2, 1]);
});
