import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Variant } from '../../src/demo/zoo/index.ts';
import type { RunRecord } from '../../src/model/record.ts';
import { concludeRun } from '../../src/pipeline.ts';
import { fixture } from './paths.ts';

/** A run of a member of the zoo as it was measured once, concluded by the rules of today. */
export interface RecordedMember {
  readonly member: string;
  readonly variant: Variant;
  readonly record: RunRecord;
}

/** Every recorded run; made by `npm run bench:diagnosis -- --record test/fixtures/zoo`. */
export function recordedZoo(): readonly RecordedMember[] {
  return readdirSync(fixture('zoo'))
    .filter((name) => name.endsWith('.json.gz'))
    .map((name) => {
      const [, member, variant] = /^(.*)-(on|off|twin)\.json\.gz$/.exec(name)!;
      const stored = JSON.parse(gunzipSync(readFileSync(fixture('zoo', name))).toString());
      return { member: member!, variant: variant as Variant, record: concludeRun(stored) };
    });
}
