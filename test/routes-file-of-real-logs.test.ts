import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLog } from '../src/access-log/read-log.ts';
import { ShiploadError } from '../src/errors.ts';
import { plannedRequests } from '../src/load/planned-requests.ts';
import type { WorkloadModel } from '../src/model/workload.ts';
import { checkModel } from '../src/session/verify-model.ts';
import { buildWorkload } from '../src/workload/build-workload.ts';
import { parseRoutes, renderRoutes } from '../src/workload/routes-file.ts';
import { logFile } from './support/log-source.ts';
import { shared, skipWithout } from './support/paths.ts';

const folder = shared('logs', '.');
const files =
  folder === undefined ? [] : readdirSync(folder).filter((name) => /\.(?:log|jsonl|tsv)$/.test(name));

const LONGEST_CHECK_SECONDS = 6 * 3600;

const countsOf = ({ requestClasses }: WorkloadModel): Record<string, number> =>
  Object.fromEntries(requestClasses.map(({ id, requestCount }) => [id, requestCount]));

test('logs to read their routes back from are there', { skip: skipWithout(folder) }, () =>
  assert.ok(files.length > 0),
);

for (const file of files)
  test(`${file}: the routes file gives the model’s own classes, and no class goes unsent`, async (context) => {
    const table = await readLog([logFile(join(folder!, file))]).catch((error: unknown) => {
      if (error instanceof ShiploadError) return undefined;
      throw error;
    });
    if (table === undefined || table.rowCount === 0) return context.skip('no log that can be modelled');
    const model = buildWorkload(table, { window: 'all' });
    const routes = parseRoutes(renderRoutes(model));
    assert.deepEqual(countsOf(buildWorkload(table, { window: 'all', routes })), countsOf(model));
    // A run of weeks on the virtual clock takes minutes of the real one.
    if (model.spanSeconds > LONGEST_CHECK_SECONDS || plannedRequests(model).requests.length === 0) return;
    const { quantities, requestCount: requests } = checkModel(model, 7);
    const shares = quantities.filter(({ name }) => /^share of [A-Z]+ \//.test(name));
    // Of a share p of n requests none is sent with a chance of e^(−np).
    assert.deepEqual(
      shares.filter(({ log, sent }) => sent === 0 && log * requests > 15),
      [],
    );
  });
