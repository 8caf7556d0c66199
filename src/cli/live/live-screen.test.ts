import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { closedStep } from '../../../test/support/simulate.ts';
import { thinkingUsers } from '../../../test/support/thinking-users.ts';
import { displayWidth } from '../../report/quantities.ts';
import { screenLines } from './live-screen.ts';
import { LiveState } from '../../session/live-state.ts';

const HEAD = {
  label: 'try',
  url: 'http://127.0.0.1:8080/',
  loadName: 'users',
  serverCount: 1,
  hasKeys: true,
};

const { plan: PLAN, events: EVENTS } = thinkingUsers([closedStep(0, 5, 5, 20), closedStep(1, 20, 5, 20)]);

function watched(): LiveState {
  const state = new LiveState(PLAN);
  for (const event of EVENTS) state.take(event);
  return state;
}

test('the figures of the last second are those of the run: X of N users by N/(R+Z), U by X·D', () => {
  const state = watched();
  const last = state.seconds.findLast((second) => second.throughputPerSecond > 0)!;
  assert.ok(Math.abs(last.throughputPerSecond - 20 / 1.01) <= 1, String(last.throughputPerSecond));
  assert.ok(Math.abs(last.serviceCores! - last.throughputPerSecond * 0.01) < 0.02, String(last.serviceCores));
  assert.equal(state.finished.length, 2);
});

test('no line is wider than the terminal and no screen higher, however small it is', () => {
  const state = watched();
  state.warnings.push(
    'a warning that is much longer than any terminal one would want to work at, '.repeat(5),
  );
  for (const width of [20, 41, 60, 80, 200]) {
    for (const height of [1, 5, 12, 14, 24, 60]) {
      const lines = screenLines(state, HEAD, { width, height, color: true });
      assert.ok(lines.length <= height, `${lines.length} lines on ${height}`);
      for (const line of lines)
        assert.ok(displayWidth(stripVTControlCharacters(line)) <= width, `"${line}" on ${width}`);
    }
  }
});

test('on a narrow terminal the time that is left stays, the bar goes', () => {
  const state = watched();
  state.phase = 'measure';
  const [, step] = screenLines(state, HEAD, { width: 40, height: 15, color: false });
  assert.match(step!, /^step 2\/2 .*measuring  \S+ s left$/);
});

test('a low terminal still has its gauges and how to end', () => {
  const text = screenLines(watched(), HEAD, { width: 80, height: 10, color: false });
  assert.equal(text.length, 10);
  assert.match(text[8]!, /failed|p99|service CPU/);
  assert.match(text[9]!, /^q  end here/);
});

test('what steers a terminal is shown, not obeyed', () => {
  const state = watched();
  state.warnings.push('\u001b[2J gone \u0007');
  const head = { ...HEAD, label: 'a\u001b]0;title\u0007', url: 'http://x/\u009b1m' };
  const text = screenLines(state, head, { width: 120, height: 40, color: false }).join('\n');
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});
