import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ShiploadError } from '../errors.ts';
import { makeFolder } from './make-folder.ts';
import { replaceFile, writeError } from './write-file.ts';

const permissionsSchema = z.object({
  schemaVersion: z.literal(1),
  /** Urls that `allow` permits: scheme, host and port; the addresses the host had then; a rate; a last day. */
  allowed: z.array(
    z.object({
      origin: z.string(),
      addresses: z.array(z.string()),
      ratePerSecond: z.number().positive(),
      until: z.iso.datetime(),
    }),
  ),
  /** Urls whose owner proves it by a file that holds the token. */
  owned: z.array(z.object({ origin: z.string(), token: z.string().min(32) })),
});

/** What the user of this machine permitted: no plan, record or service can add to it. */
export type Permissions = z.infer<typeof permissionsSchema>;
export type Allowance = Permissions['allowed'][number];

/** What everybody starts with. */
export const NO_PERMISSIONS: Permissions = { schemaVersion: 1, allowed: [], owned: [] };

/** `$XDG_CONFIG_HOME/shipload/permissions.json`, or below `~/.config`. */
export function permissionsPath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = env['XDG_CONFIG_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.config') : base, 'shipload', 'permissions.json');
}

/**
 * The permissions in a file; none where it is missing. Throws `permissions-invalid` for a file that cannot be
 * read, that is none, or that somebody other than its owner may write.
 */
export async function readPermissions(path = permissionsPath()): Promise<Permissions> {
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined) return NO_PERMISSIONS;
  if ((entry.mode & 0o022) !== 0) throw invalid(path, 'others than its owner may write it', 'chmod 600 it.');
  try {
    return permissionsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw invalid(path, 'it is not what shipload wrote', 'Mend it, or remove it and allow again.', cause);
  }
}

function invalid(path: string, why: string, hint: string, cause?: unknown): ShiploadError {
  return new ShiploadError('permissions-invalid', `the permissions in ${path} do not count: ${why}`, {
    where: path,
    hint,
    cause,
  });
}

/** Replaces the permissions; the file is for its owner alone. Throws `cannot-write`. */
export async function writePermissions(permissions: Permissions, path = permissionsPath()): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await replaceFile(path, `${JSON.stringify(permissions, null, 1)}\n`);
  } catch (cause) {
    throw writeError(path, cause);
  }
}

/** The permissions with one more; it replaces an earlier one for the same scheme, host and port. */
export const withAllowance = (permissions: Permissions, entry: Allowance): Permissions => ({
  ...permissions,
  allowed: [...permissions.allowed.filter(({ origin }) => origin !== entry.origin), entry],
});

/** The permissions without any for this scheme, host and port: neither an entry nor a token. */
export const withoutOrigin = (permissions: Permissions, origin: string): Permissions => ({
  ...permissions,
  allowed: permissions.allowed.filter((entry) => entry.origin !== origin),
  owned: permissions.owned.filter((entry) => entry.origin !== origin),
});
