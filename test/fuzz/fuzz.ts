import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../../src/stats/random.ts';
import { ROOT } from '../support/paths.ts';
import { nextInput, SUBJECTS } from './subjects.ts';

/** `npm run fuzz -- --seconds 60 --seed 1`: what breaks a subject is kept in test/corpus and told. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    only: { type: 'string' },
  },
});

const chosen = SUBJECTS.filter((subject) => values.only === undefined || subject.name === values.only);
const SLOW_MILLISECONDS = 2000;

for (const subject of chosen) {
  const random = createRandom(Number(values.seed));
  const seen = new Set<string>();
  const end = performance.now() + (1000 * Number(values.seconds)) / chosen.length;
  let count = 0;
  while (performance.now() < end) {
    const input = nextInput(subject, random);
    count += 1;
    const startCpu = process.cpuUsage();
    try {
      await subject.run(input);
      const { user, system } = process.cpuUsage(startCpu);
      if ((user + system) / 1000 > SLOW_MILLISECONDS)
        throw new Error(`took ${Math.round((user + system) / 1000)} ms of CPU`);
    } catch (error) {
      const fault =
        error instanceof Error ? `${error.message}\n${error.stack?.split('\n')[1] ?? ''}` : String(error);
      if (seen.has(fault)) continue;
      seen.add(fault);
      const name = createHash('sha256').update(input).digest('hex').slice(0, 12);
      writeFileSync(join(ROOT, 'test', 'corpus', subject.name, name), input);
      console.log(`${subject.name}: ${fault} (kept as ${name})`);
      process.exitCode = 1;
    }
  }
  console.log(`${subject.name}: ${count} inputs, ${seen.size} faults (seed ${values.seed})`);
}
