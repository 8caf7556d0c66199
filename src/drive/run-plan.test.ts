import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../host/virtual-clock.ts';
import { closedStep } from '../../test/support/simulate.ts';
import { ScriptedProtocol } from '../../test/support/scripted-protocol.ts';
import { type PlanRun, type RunEvent, startPlan } from './run-plan.ts';

const plan = {
  seed: 3,
  shape: 'steps',
  requests: [
    {
      id: 'GET /',
      method: 'GET',
      route: '/',
      shareRatio: 1,
      targets: { draw: 'uniform' as const, targets: ['/'], distinctCount: 1 },
    },
  ],
  requestTimeoutSeconds: 10,
  steps: [closedStep(0, 4, 2, 10), closedStep(1, 8, 2, 10)],
};

for (const stopAtFrame of [1, 2, 5, 15]) {
  test(`a listener may stop the run from within frame ${stopAtFrame}, and again and again: it ends once, in order`, () => {
    const clock = new VirtualClock();
    const protocol = new ScriptedProtocol(clock, (sentAtSeconds) => ({
      endedAtSeconds: sentAtSeconds + 1.7,
    }));
    const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
    const events: RunEvent[] = [];
    const run: PlanRun = startPlan(plan, { clock, protocol, counters: [], generator }, (event) => {
      events.push(event);
      if (events.filter(({ kind }) => kind === 'frame').length >= stopAtFrame) run.stop('interrupted');
    });
    clock.run();
    const frames = events.flatMap((event) => (event.kind === 'frame' ? [event.frame] : []));
    assert.deepEqual(
      frames.map((frame) => frame.startedAtSeconds).slice(1),
      frames.map((frame) => frame.endedAtSeconds).slice(0, -1),
    );
    assert.equal(events.filter(({ kind }) => kind === 'finished').length, 1);
    const sent = frames.reduce((sum, frame) => sum + frame.routes[0]!.sentCount, 0);
    assert.equal(sent, protocol.sentAtSeconds.length);
    const [last] = events.slice(-1);
    assert.ok(last?.kind === 'finished');
    assert.equal(last.totals.byRoute[0]!.answeredCount, protocol.sentAtSeconds.length);
  });
}
