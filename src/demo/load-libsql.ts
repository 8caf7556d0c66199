import type Libsql from 'libsql';
import { ShiploadError } from '../errors.ts';

/**
 * SQLite from the package libsql, which is optional: a platform without its binary can do everything but the demos
 * with a database. Throws `optional-package-missing`, naming the demo.
 */
export async function loadLibsql(demo: string): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new ShiploadError('optional-package-missing', `the ${demo} needs SQLite, from the package libsql`, {
      cause,
      hint: 'install it with `npm install libsql`; where it has no binary for the platform, use your own service',
    });
  }
}
