import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceList } from './licences.ts';
import { ROOT } from './paths.ts';

/** `npm run licences`: writes docs/licences.md from the lock file and the installed packages. */
writeFileSync(join(ROOT, 'docs', 'licences.md'), licenceList());
