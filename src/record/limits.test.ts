import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunManifest } from '../model/record.ts';
import { limitsOf } from './limits.ts';

const manifest = (url: string, sameHost: boolean): RunManifest => ({
  kind: 'run',
  schemaVersion: 1,
  label: 'x',
  startedAt: '2026-11-30T00:00:00.000Z',
  state: 'completed',
  command: [],
  plan: { seed: 1, shape: 'steps', requests: [], requestTimeoutSeconds: 30, steps: [] },
  service: { url, sameHost },
  targets: [],
  marginRatio: 0.1,
  environment: {
    shiploadVersion: '0',
    nodeVersion: 'v20',
    platform: 'linux',
    cpuModel: 'a processor',
    machineCoreCount: 2,
    usableCoreCount: 2,
    memoryBytes: 1,
  },
});

test('loopback, same host and plain http are said, and only where they are so', () => {
  const all = limitsOf(manifest('http://127.0.0.1:8080/', true), []).join('\n');
  for (const word of ['shared this machine', 'Loopback', 'No TLS', 'One run', '2 cores'])
    assert.ok(all.includes(word), word);
  const remote = limitsOf(manifest('https://10.0.0.1/', false), []).join('\n');
  for (const word of ['shared this machine', 'Loopback', 'No TLS']) assert.ok(!remote.includes(word), word);
});
