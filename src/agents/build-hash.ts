import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Hash of bytes as agents and coordinator compare them. */
export const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');

let known: string | undefined;

/**
 * Hash of the code of this very build: every script below src/, by path and content. Agents of the same version
 * that were built from other sources would make another load; the version alone does not tell.
 */
export function buildHash(): string {
  if (known !== undefined) return known;
  const root = fileURLToPath(new URL('..', import.meta.url));
  const hash = createHash('sha256');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'))
    .sort();
  for (const name of names) hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  return (known = hash.digest('hex'));
}
