import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readProc } from '../counters/proc-files.ts';
import { sha256 } from './build-hash.ts';

/**
 * The same for processes that share a loopback interface: of one boot of one machine and one network namespace. Where
 * the system does not tell, the machine's name stands for it.
 */
export function hostId(): string {
  const boot = readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname();
  return sha256(`${boot} ${networkNamespace()}`).slice(0, 32);
}

function networkNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/net');
  } catch {
    return '';
  }
}
