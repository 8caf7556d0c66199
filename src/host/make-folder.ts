import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Each is tried once: Node's own recursive mkdir never comes back for a path
 * below a folder that exists and refuses children (`/proc/x`), because it reads the ENOENT as a missing parent.
 * Throws what the file system says.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw cause;
    await makeFolder(parent);
    // The second try is the last: where the parent stands now, its refusal is the answer.
    await mkdir(path);
  }
}
