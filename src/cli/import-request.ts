import { ShiploadError } from '../errors.ts';
import type { GivenLoad } from '../import/results/result-format.ts';
import type { ImportOptions } from '../session/import-results.ts';
import type { OptionValues } from './options/index.ts';

/** How another tool's results are read, as the options say. Throws `usage` for more than one kind of load. */
export function importOptions(options: OptionValues): ImportOptions {
  const { resultFormat, importFrom, users, concurrency, rate, cores } = options;
  const loads: GivenLoad[] = [];
  if (users !== undefined) loads.push({ kind: 'users', values: users });
  if (concurrency !== undefined) loads.push({ kind: 'concurrency', values: concurrency });
  if (rate !== undefined) loads.push({ kind: 'arrivalRatePerSecond', values: rate });
  if (loads.length > 1) {
    throw new ShiploadError('usage', 'a load is users, workers or a rate, not several of them', {
      hint: 'Give one of --users, -c and --rate.',
    });
  }
  return {
    format: importFrom ?? resultFormat ?? 'auto',
    ...(loads[0] !== undefined && { load: loads[0] }),
    ...(cores !== undefined && { serverCount: cores }),
  };
}
