import { spawnSync } from 'node:child_process';
import { readProc } from '../counters/proc-files.ts';
import { parseAllowedCpus } from '../counters/proc-text.ts';
import { ShiploadError } from '../errors.ts';
import type { Pinning } from '../model/record.ts';

/** What `--pin` was given: the generator's cores by number, or the wish alone. */
export type PinRequest = readonly number[] | 'any';

/**
 * Which cores the generator keeps to, and which are left for a service that is started. Without numbers the
 * generator takes the last `generatorCount` allowed ones. Throws `option-invalid` where that cannot be: fewer
 * cores than generators, a core that is not allowed, none left for the service.
 */
export function planPinning(
  allowed: readonly number[],
  request: PinRequest,
  generatorCount: number,
): Required<Pinning> {
  const generatorCores = request === 'any' ? allowed.slice(-generatorCount) : request;
  const strange = generatorCores.filter((core) => !allowed.includes(core));
  const serviceCores = allowed.filter((core) => !generatorCores.includes(core));
  if (strange.length > 0) {
    throw refused(`core ${strange.join(', ')} is none that this process may use (${allowed.join(', ')})`);
  }
  if (generatorCores.length < generatorCount) {
    throw refused(`${generatorCount} generators do not fit on ${generatorCores.length} cores of their own`);
  }
  if (serviceCores.length === 0) {
    throw refused(`of the ${allowed.length} cores that may be used none is left for the service`);
  }
  return { generatorCores, serviceCores };
}

/**
 * Keeps this process, all its threads and those to come, to cores of its own. Throws `option-invalid` on systems
 * other than Linux, without `taskset` (util-linux), and as `planPinning` does.
 */
export function pinGenerator(request: PinRequest, generatorCount: number): Required<Pinning> {
  const allowed = parseAllowedCpus(readProc('/proc/self/status') ?? '');
  if (allowed === undefined)
    throw refused('cores are told apart through /proc, which this system does not have');
  const pinning = planPinning(allowed, request, generatorCount);
  const { status, error } = spawnSync(
    'taskset',
    ['-a', '-c', '-p', pinning.generatorCores.join(','), String(process.pid)],
    { stdio: 'ignore' },
  );
  if (error !== undefined) throw refused('the program taskset (util-linux) is not there to set cores with');
  if (status !== 0) throw refused('taskset may not set the cores of this process');
  return pinning;
}

/** A command line for /bin/sh that first moves its shell, and so all that it starts, to the cores. */
export const onCores = (cores: readonly number[], command: string): string =>
  `taskset -c -p ${cores.join(',')} $$ >/dev/null\n${command}`;

function refused(reason: string): ShiploadError {
  return new ShiploadError('option-invalid', `the generator cannot be pinned: ${reason}`, {
    where: '--pin',
    hint: 'leave --pin away, or run on a machine with a core to spare for the generator',
  });
}
