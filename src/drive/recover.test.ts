import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSegments } from '../host/segments.ts';
import { closedStep, request, simulatePlan } from '../../test/support/simulate.ts';
import { measurementsFromFrames } from './recover.ts';

const plan = {
  seed: 1,
  shape: 'steps',
  requests: [request('/a', 0.5), request('/b', 0.5)],
  thinkTimeSeconds: { kind: 'exponential', meanSeconds: 1 } as const,
  requestTimeoutSeconds: 30,
  steps: [closedStep(0, 5, 3, 10), closedStep(1, 10, 3, 10)],
};
const service = {
  stations: [{ name: 'cpu', serverCount: 1 }],
  visits: {
    'GET /a': [{ station: 'cpu', service: { kind: 'exponential', meanSeconds: 0.01 } as const }],
    'GET /b': [{ station: 'cpu', service: { kind: 'exponential', meanSeconds: 0.05 } as const }],
  },
};

const run = simulatePlan(plan, service);
const lines = run.events.flatMap((event) =>
  event.kind === 'frame' ? [JSON.stringify({ frame: event.frame, sample: event.sample })] : [],
);

test('the stored seconds of a finished run add up to exactly what the run itself reported', () => {
  const read = measurementsFromFrames(plan, parseSegments(lines.join('\n'), 'segments.jsonl'), 'interrupted');
  assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(run.measurements)));
});

test('cut anywhere, the file gives every whole second before the cut', () => {
  const text = `${lines.join('\n')}\n`;
  for (let cut = 0; cut < text.length; cut += 997) {
    const kept = text.slice(0, cut);
    const wholeLines = kept.split('\n').length - 1;
    const segments = parseSegments(kept, 'segments.jsonl');
    assert.ok(segments.length >= wholeLines && segments.length <= wholeLines + 1);
    const measurements = measurementsFromFrames(plan, segments, 'interrupted');
    const seconds = measurements.reduce((sum, m) => sum + m.windowSeconds, 0);
    assert.ok(Math.abs(seconds - segments.filter((s) => s.frame.phase === 'measure').length) < 1e-9);
    for (const m of measurements)
      assert.equal(m.endedEarly, m.windowSeconds < 9.9 ? 'interrupted' : undefined);
  }
});

test('damage before the end is no torn line: it is refused with its place', () => {
  const damaged = [lines[0], '{"frame":', lines[1]].join('\n');
  assert.throws(() => parseSegments(damaged, 'segments.jsonl'), /line 2/);
});
