import { EXIT, ShiploadError } from '../../errors.ts';
import { toIsolationDocument } from '../../report/json.ts';
import { renderIsolation } from '../../report/isolation-text.ts';
import { isolateLoad } from '../../session/isolate-load.ts';
import { openService } from '../../session/open-service.ts';
import { proveService } from '../../session/prove-service.ts';
import { safetyLimits, withinLimits } from '../../load/safety.ts';
import { openWorkload } from '../../session/open-workload.ts';
import { loadOnce } from '../../session/load-once.ts';
import type { Command } from '../command.ts';
import { inputKindOf } from '../input-kind.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { optionCheck } from '../option-check.ts';
import { OPTION_GROUPS } from '../options/index.ts';
import { logOptions, plannedLoad, safetyRequest, serviceRequest } from '../run-request.ts';
import { writeOutput } from '../write-output.ts';

export const isolate: Command = {
  name: 'isolate',
  usage: '<access.log|workload.json>',
  summary: 'each route alone: its demand, its share of all work, what vanishes without the others',
  options: [
    ...OPTION_GROUPS.service,
    'users',
    'think',
    'isolateStep',
    'busyUsers',
    ...OPTION_GROUPS.request,
    'seed',
    'out',
    ...OPTION_GROUPS.safety,
    ...OPTION_GROUPS.log,
  ],
  example: 'shipload isolate workload.json --url http://127.0.0.1:8080 --port 8080 -o isolation.json',
  async run([input], options, { terminal, exitNow, given }) {
    optionCheck(given)({
      input: await inputKindOf(input!, true),
      shape: 'steps',
      loadKind: 'users',
      options,
    });
    const request = serviceRequest(options);
    const workload = await openWorkload(input!, logOptions(options));
    const { plan, peakLoad, notices } = plannedLoad(workload, [], options);
    for (const notice of notices) terminal.say(`Note: ${notice.message}`);
    let stop = (): Promise<void> => Promise.resolve();
    const interrupts = listenForInterrupts(
      () => terminal.say('Stopping.'),
      () => void stop().finally(() => exitNow(interrupts.exitCode() ?? EXIT.interrupted)),
    );
    try {
      const proven = await proveService(request);
      const limited = withinLimits(plan, safetyLimits(safetyRequest(options), proven.grant));
      const { until } = proven.grant;
      if (until !== undefined)
        interrupts.endAt(until, () => terminal.say('The permission has ended, and the load with it.'));
      const service = await openService(request, proven);
      stop = () => service.stop();
      if (service.description.pid === undefined) {
        throw new ShiploadError(
          'process-not-found',
          'demands need the CPU of the service, and no process is watched',
          {
            hint: 'Name it with --pid or --port, or let --start start it.',
          },
        );
      }
      const isolation = await isolateLoad(limited, {
        users: options.users?.at(-1) ?? peakLoad,
        stepSeconds: options.isolateStep ?? 15,
        ...(options.busyUsers !== undefined && { busyUsers: options.busyUsers }),
        ...(options.cores !== undefined && { serverCount: options.cores }),
        run: (alone, listener) => loadOnce(alone, service, { listener, signal: interrupts.signal }),
        onRoute: (route, users) => terminal.say(`  ${route.id} alone, ${users} users`),
      });
      if (interrupts.signal.aborted) return interrupts.exitCode() ?? EXIT.interrupted;
      if (isolation === undefined) {
        throw new ShiploadError('service-gone', 'the service ended while a route was isolated', {
          hint: service.outputTail().slice(-5).join('\n  '),
        });
      }
      const json = `${JSON.stringify(toIsolationDocument(isolation), null, 1)}\n`;
      // The file is what `predict` reads; a person reads the table.
      if (options.out !== undefined) await writeOutput(json, options.out, terminal);
      terminal.print(options.json === true ? json : renderIsolation(isolation, terminal));
      return EXIT.done;
    } finally {
      await stop();
      interrupts.release();
    }
  },
};
