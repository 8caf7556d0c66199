import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCounters } from '../../test/support/sample-counters.ts';
import { sampleRecord } from '../../test/support/sample-record.ts';
import { closedStep } from '../../test/support/simulate.ts';
import { thinkingUsers } from '../../test/support/thinking-users.ts';
import { renderHtml } from '../report/html.ts';
import { LiveState } from '../session/live-state.ts';
import { liveCharts } from './live-charts.ts';

test('what has a name in the report has the same colour while the run goes on', () => {
  const { plan, events } = thinkingUsers([closedStep(0, 5, 2, 6), closedStep(1, 10, 2, 6)]);
  const state = new LiveState(plan);
  for (const event of events) state.take(event);
  const coloursOf = (html: string): Map<string, string> =>
    new Map(
      [...html.matchAll(/<li class="(?:trace|measured) (c\d)">([^<]+)</g)].map(([, c, name]) => [name!, c!]),
    );
  const report = coloursOf(renderHtml(withCounters(sampleRecord())));
  const live = coloursOf(liveCharts(state, plan).join(''));
  const shared = [...live.keys()].filter((name) => report.has(name));
  assert.ok(shared.length >= 5, shared.join());
  for (const name of shared) assert.equal(live.get(name), report.get(name), name);
});
