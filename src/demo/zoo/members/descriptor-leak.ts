import { closeSync, openSync } from 'node:fs';
import type { ZooMember } from '../member.ts';
import { SOAK } from '../probes.ts';

/** Twin: so many files are kept open and used again. */
const KEPT_FILES = 150;
/** Every so manieth request opens a file. */
const EVERY = 4;

/** One request in four opens a file and does not close it; the twin keeps 150 open and uses them again. */
export const descriptorLeak: ZooMember = {
  name: 'descriptor-leak',
  fault: 'one request in four opens a file and never closes it',
  twin: 'a cache of 150 open files',
  expected: { on: 'descriptor-leak', twin: 'cache-fill' },
  probe: SOAK,
  open: (variant) => {
    let count = 0;
    let keptCount = 0;
    const openFile = (): void => {
      count += 1;
      if (count % EVERY !== 0 || (variant === 'twin' && keptCount >= KEPT_FILES)) return;
      const descriptor = openSync(process.execPath, 'r');
      if (variant === 'off') closeSync(descriptor);
      else keptCount += 1;
    };
    return {
      routes: [
        (reply) => {
          openFile();
          reply();
        },
        (reply) => reply(),
      ],
    };
  },
};
