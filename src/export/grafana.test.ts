import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../test/support/paths.ts';

const text = readFileSync(join(ROOT, 'examples', 'grafana', 'shipload.json'), 'utf8');
const source = ['run-metrics.ts', 'metric.ts']
  .map((file) => readFileSync(join(ROOT, 'src', 'export', file), 'utf8'))
  .join('\n');

test('every metric of the dashboard is one that is exported', () => {
  const used = new Set(text.match(/shipload_[a-z_]+/g));
  assert.ok(used.size >= 7);
  for (const name of used) assert.ok(source.includes(`'${name.replace(/_(total|bucket)$/, '')}'`), name);
});

test('panels do not lie on one another and each has its own number', () => {
  interface Panel {
    readonly id: number;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  }
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] };
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
});
