import { test } from 'node:test';
import { createRandom } from '../../src/stats/random.ts';
import { nextInput, SUBJECTS } from './subjects.ts';

/** Few and always the same: `npm run fuzz -- --seconds 60` looks further. */
const ROUNDS: Readonly<Record<string, number>> = {
  record: 60,
  results: 300,
  segments: 150,
  log: 250,
  import: 300,
  'import-data': 300,
};

for (const subject of SUBJECTS) {
  test(`${subject.name}: every input is read or refused, the corpus too`, async () => {
    const random = createRandom(20);
    for (const input of subject.samples) await subject.run(input);
    for (let i = 0; i < (ROUNDS[subject.name] ?? 1000); i += 1) await subject.run(nextInput(subject, random));
  });
}
