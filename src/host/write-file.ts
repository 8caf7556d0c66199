import { link, open, rename, rm } from 'node:fs/promises';
import { ShiploadError } from '../errors.ts';

/** Turns what the file system says into an error with a hint. */
export function writeError(path: string, cause: unknown): ShiploadError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  const why: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is not a folder',
    EEXIST: 'a file of that name is in the way',
    EMFILE: 'too many open files',
  };
  return new ShiploadError('cannot-write', `cannot write ${path}: ${why[code] ?? code}`, {
    where: path,
    hint: 'Choose another place with -o, or make room and run again.',
    cause,
  });
}

/** Half a file is of no use, and takes the room that is missing. */
const discard = (aside: string): Promise<void> => rm(aside, { force: true }).catch(() => {});

/** Written whole and synced under another name: a reader, or a crash, never sees half a file. */
async function writeAside(path: string, content: string): Promise<string> {
  const aside = `${path}.${process.pid}.part`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
  } catch (error) {
    await discard(aside);
    throw error;
  } finally {
    await file.close();
  }
  return aside;
}

/** The file, for its owner alone, has the new content whole or the old one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const aside = await writeAside(path, content);
  try {
    await rename(aside, path);
  } catch (error) {
    await discard(aside);
    throw error;
  }
}

/** What file systems without links answer: those of cameras and Windows, some of networks. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The file, for its owner alone, appears whole, or EEXIST: of two who want it only one gets it. */
export async function claimFile(path: string, content: string): Promise<void> {
  const aside = await writeAside(path, content);
  try {
    await link(aside, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // Made empty first, which only one of two can do.
    await (await open(path, 'wx', 0o600)).close();
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

/** Puts the names of new files on the disk; not every system lets a folder be synced, and then nothing is lost. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
