import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedZoo } from '../../../test/support/recorded-zoo.ts';
import { namedCauses } from '../../analysis/rules/index.ts';
import { findMember, VARIANTS, ZOO } from './index.ts';

for (const { member, variant, record } of recordedZoo()) {
  const { expected } = findMember(member);
  const truth = variant === 'off' ? undefined : expected[variant];
  test(`${member} as recorded, ${variant}: ${truth ?? 'nothing'} is named`, () => {
    const named = namedCauses(record.analysis.findings);
    assert.deepEqual(
      named.slice(0, 1).map(({ ruleId }) => ruleId),
      truth === undefined ? [] : [truth],
    );
    for (const { experiment, evidence } of named) {
      assert.ok(evidence.length > 0);
      assert.ok(experiment === undefined || experiment.reads.quantity.length > 0);
    }
  });
}

test('every member has been recorded with its fault and as its near miss', () => {
  const recorded = new Set(recordedZoo().map(({ member, variant }) => `${member} ${variant}`));
  const wanted = ZOO.flatMap(({ name }) => VARIANTS.map((variant) => `${name} ${variant}`));
  assert.deepEqual(
    wanted.filter((key) => !key.endsWith(' off') && !recorded.has(key)),
    [],
  );
});
