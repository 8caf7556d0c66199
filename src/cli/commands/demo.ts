import { ShiploadError } from '../../errors.ts';
import type { Command, CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { runPlace } from '../run-request.ts';
import { demoCatalogue } from './demo-catalogue.ts';
import { demoPool } from './demo-pool.ts';

type Demo = (folder: string, options: OptionValues, context: CommandContext) => Promise<number>;

/** Every demo by its name; the first is the one without a name. */
const DEMOS: Readonly<Record<string, Demo>> = { catalogue: demoCatalogue, pool: demoPool };

export const demo: Command = {
  name: 'demo',
  usage: `[${Object.keys(DEMOS).join('|')}]`,
  summary:
    'a worked case on this machine. catalogue: a log, a service with a flaw, the decision, the fix, the decision ' +
    'again. pool: two throughput curves and what bends them',
  options: ['cache', 'full', 'seed', 'out'],
  example: 'shipload demo pool',
  async run([which = 'catalogue'], options, context) {
    const chosen = Object.hasOwn(DEMOS, which) ? DEMOS[which] : undefined;
    if (chosen === undefined) {
      throw new ShiploadError('usage', `there is no demo "${which}"`, {
        hint: `Demos: ${Object.keys(DEMOS).join(', ')}`,
      });
    }
    const place = runPlace(options.out === undefined ? { label: `demo-${stamp()}` } : options, new Date());
    return chosen(place.path, options, context);
  },
};

const stamp = (): string => new Date().toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '');
