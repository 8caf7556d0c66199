import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realTimeTest } from '../../../test/support/calm.ts';
import { CAUSES, namedCauses } from '../../analysis/rules/index.ts';
import { ShiploadError } from '../../errors.ts';
import { diagnoseMember } from './diagnose.ts';
import { findMember, probePlan, ZOO } from './index.ts';
import { routeNames } from './routes.ts';

const CAUSE_IDS: readonly string[] = CAUSES.map(({ id }) => id);

test('what a member is expected to be is a rule, and its twin is something else', () => {
  for (const { name, expected } of ZOO) {
    assert.ok(CAUSE_IDS.includes(expected.on), name);
    assert.ok(expected.twin === undefined || CAUSE_IDS.includes(expected.twin), name);
    assert.notEqual(expected.on, expected.twin, name);
  }
});

test('route names are drawn from the seed and say nothing', () => {
  assert.deepEqual(routeNames(3), routeNames(3));
  assert.notDeepEqual(routeNames(3), routeNames(4));
  for (const name of routeNames(5)) assert.match(name, /^\/[b-z]{7}$/);
});

test('a probe sends both routes at the shares it says', () => {
  const { requests } = probePlan(findMember('event-loop-block').probe, 1);
  assert.deepEqual(
    requests.map(({ shareRatio }) => shareRatio),
    [0.25, 0.75],
  );
});

test('an unknown member is refused with the names there are', () => {
  assert.throws(
    () => findMember('tiger'),
    (error: unknown) => error instanceof ShiploadError && error.code === 'usage' && /pool/.test(error.hint!),
  );
});

realTimeTest(
  'a member is started, probed and diagnosed on this machine: refusals at one rate are a limit',
  async () => {
    const member = findMember('rate-limit');
    const quick = { ...member, probe: { ...member.probe, loads: [4, 16, 32], stepSeconds: 1.3 } };
    const { analysis } = await diagnoseMember(quick, 'on', 1);
    assert.equal(namedCauses(analysis.findings)[0]?.ruleId, 'rate-limited');
  },
);
