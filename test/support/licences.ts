import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

/** Every package of the lock file by its folder, the project itself left out. */
export function lockedPackages(): readonly (readonly [name: string, entry: LockedPackage])[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => [path.replace(/^.*node_modules\//, ''), entry] as const);
}

/** The licence that a package declares: in the lock file, else in the package itself. */
function licenceOf(name: string, entry: LockedPackage): string {
  if (entry.license !== undefined) return entry.license;
  const manifest = join(ROOT, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return 'not declared';
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { license?: string }).license ?? 'not declared';
}

const USES = ['runs with Shipload', 'optional: demos, PNG', 'for development only'] as const;

/** The text of docs/licences.md. */
export function licenceList(): string {
  const rows = lockedPackages().map(([name, entry]) => {
    const use = entry.dev === true ? USES[2] : entry.optional === true ? USES[1] : USES[0];
    return { name, version: entry.version ?? '', licence: licenceOf(name, entry), use };
  });
  rows.sort((a, b) => USES.indexOf(a.use) - USES.indexOf(b.use) || (a.name < b.name ? -1 : 1));
  const lines = [
    '# Licences',
    '',
    'Shipload is under the MIT licence. The packages it is built with (written by `npm run licences`):',
    '',
    '| package | version | licence | use |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ name, version, licence, use }) => `| ${name} | ${version} | ${licence} | ${use} |`),
  ];
  return `${lines.join('\n')}\n`;
}
