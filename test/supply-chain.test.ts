import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockedPackages } from './support/licences.ts';
import { ROOT } from './support/paths.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};

test('every dependency is pinned to a version, and few run with the tool', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
  assert.ok(Object.keys(dependencies).length <= 6);
});

test('no package needs an install script, and every one is locked by its hash', () => {
  for (const [name, entry] of lockedPackages()) {
    // esbuild's only puts its program in place of a starter; it is found without, as npm 12 leaves it.
    assert.ok(entry.hasInstallScript !== true || name === 'esbuild', name);
    assert.match(entry.integrity ?? '', /^sha512-/, name);
  }
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.equal(manifest.scripts[script], undefined);
});

test('docs/licences.md lists every package of the lock file at its version (else: npm run licences)', () => {
  const text = readFileSync(join(ROOT, 'docs', 'licences.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\S+) +\| (\d\S*) /gm)].map((match) => `${match[1]} ${match[2]}`);
  const locked = lockedPackages().map(([name, { version }]) => `${name} ${version}`);
  assert.deepEqual(listed.toSorted(), locked.toSorted());
});

let packedOnce: readonly string[] | undefined;

/** What `npm pack` would ship, by path; asked once, since npm takes its time. */
const packedFiles = (): readonly string[] => (packedOnce ??= packPaths());

function packPaths(): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  const [packed] = JSON.parse(output) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return packed!.files.map(({ path }) => path);
}

test('npm pack ships what runs and what a user reads, and nothing else', () => {
  const files = packedFiles();
  const wanted = [
    /^dist\/src\/.*\.(js|d\.ts|js\.map)$/,
    /^docs\/schema\/[\w-]+\.json$/,
    /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  ];
  assert.deepEqual(
    files.filter((path) => !wanted.some((pattern) => pattern.test(path)) || /\.test\./.test(path)),
    [],
  );
  for (const path of ['dist/src/cli/main.js', 'dist/src/index.js', 'dist/src/session/echo-server.js'])
    assert.ok(files.includes(path), path);
});

test('what is imported at run time is a dependency', () => {
  const imported = packedFiles()
    .filter((path) => path.endsWith('.js') && existsSync(join(ROOT, path)))
    .flatMap((path) => [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /^(?:import|export)[^'"]*from ['"]([^'".][^'"]*)['"]/gm,
      ),
    ])
    .map((match) => match[1]!)
    .filter((name) => !name.startsWith('node:'));
  const known = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  assert.deepEqual(
    [...new Set(imported)].filter((name) => !known.includes(name)),
    [],
  );
});
