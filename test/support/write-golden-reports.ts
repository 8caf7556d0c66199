/** Writes the golden reports anew: `npm run -s build && node dist/test/support/write-golden-reports.js`; read the diff. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { READINGS } from './golden-reports.ts';
import { fixture } from './paths.ts';

mkdirSync(fixture('reports'), { recursive: true });
for (const [name, read] of Object.entries(READINGS)) writeFileSync(fixture('reports', name), read());
