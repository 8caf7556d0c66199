import { ShiploadError } from '../../errors.ts';
import type { Command, CommandContext } from '../command.ts';
import { optionCheck } from '../option-check.ts';
import type { OptionValues } from '../options/index.ts';
import { runPlace } from '../run-request.ts';
import { demoCatalogue } from './demo-catalogue.ts';
import { demoLedger } from './demo-ledger.ts';
import { demoPool } from './demo-pool.ts';
import { demoZoo } from './demo-zoo.ts';

type Demo = (
  folder: string,
  options: OptionValues,
  context: CommandContext,
  name?: string,
) => Promise<number>;

/** Every demo by its name; the first is the one without a name. */
const DEMOS: Readonly<Record<string, Demo>> = {
  catalogue: demoCatalogue,
  pool: demoPool,
  ledger: demoLedger,
  zoo: demoZoo,
};

export const demo: Command = {
  name: 'demo',
  usage: `[${Object.keys(DEMOS).join('|')}] [member]`,
  words: Object.keys(DEMOS),
  summary:
    'a worked case on this machine. catalogue: a log, a service with a flaw, the decision, the fix, the decision ' +
    'again. pool: two throughput curves, what bends them, and a remedy foretold and scored. ledger: writes behind one lock, which remedy moves the peak, and what of it was foretold. zoo: services with one fault each, and their diagnosis',
  options: ['cache', 'full', 'variant', 'seed', 'out'],
  example: 'shipload demo pool',
  async run([which = 'catalogue', name], options, context) {
    const chosen = Object.hasOwn(DEMOS, which) ? DEMOS[which] : undefined;
    if (chosen === undefined) {
      throw new ShiploadError('usage', `there is no demo "${which}"`, {
        hint: `Demos: ${Object.keys(DEMOS).join(', ')}`,
      });
    }
    if (name !== undefined && which !== 'zoo') {
      throw new ShiploadError('usage', `the demo ${which} takes no "${name}"`, {
        hint: 'Only the zoo has members: shipload demo zoo NAME',
      });
    }
    const isList = which === 'zoo' && name === undefined;
    const use = isList ? { demo: 'zoo list', draws: false, writes: false } : { demo: which };
    optionCheck(context.given)({ ...use, options });
    const place = runPlace(options.out === undefined ? { label: `demo-${stamp()}` } : options, new Date());
    return chosen(place.path, options, context, name);
  },
};

const stamp = (): string => new Date().toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '');
