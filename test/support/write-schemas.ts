/** Writes docs/schema anew from the code: `npm run -s build && node dist/test/support/write-schemas.js`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemaText, SCHEMAS } from '../../src/record/schema/index.ts';
import { planFileText } from '../../src/cli/plan-file-input.ts';
import { ROOT } from './paths.ts';

const folder = join(ROOT, 'docs', 'schema');
mkdirSync(folder, { recursive: true });
for (const name of Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[])
  writeFileSync(join(folder, `${name}.json`), jsonSchemaText(name));
writeFileSync(join(folder, 'plan-file.json'), planFileText());
