import type { CounterReading, CounterSource } from './counter-source.ts';
import { parseNetworkFigure, parsePortSockets } from './net-text.ts';
import { readProc } from './proc-files.ts';

/** Of one core: the list of a machine's sockets is long, and reading it then waits until this share is kept. */
const COST_SHARE = 0.002;

type Read = (path: string) => string | undefined;

/** The time, and the CPU time this process has used. */
interface Time {
  nowSeconds(): number;
  cpuSeconds(): number;
}

const REAL_TIME: Time = {
  nowSeconds: () => performance.now() / 1000,
  cpuSeconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};

/**
 * Connections at the port of a service, in the network namespace of its process.
 *
 * - `connectionCount`, `synReceivedCount`: gauges, established and half open.
 * - `acceptQueueCount`: gauge, connected and not yet accepted (Recv-Q of the listening sockets).
 * - `listenOverflowCount`, `listenDropCount`: cumulative; of every listening socket in the namespace.
 *
 * The list of sockets is read once a sample, or as rarely as it takes to stay below 0.2 % of a core: a reading that
 * is not due is left out. Source: the kernel's proc_net_tcp; Linux MIB ListenOverflows, ListenDrops.
 */
export function createListenerSource(
  pid: number,
  port: number,
  read: Read = readProc,
  time: Time = REAL_TIME,
): CounterSource {
  const folder = `/proc/${pid}/net`;
  let nextAtSeconds = -Infinity;
  const socketReadings = (): readonly CounterReading[] => {
    const now = time.nowSeconds();
    if (now < nextAtSeconds) return [];
    const usedBefore = time.cpuSeconds();
    const tables = ['tcp', 'tcp6'].flatMap((name) => read(`${folder}/${name}`) ?? []);
    const ports = tables.map((text) => parsePortSockets(text, port));
    nextAtSeconds = now + (time.cpuSeconds() - usedBefore) / COST_SHARE;
    if (!ports.some(({ isListening }) => isListening)) return [];
    const sum = (of: (one: (typeof ports)[number]) => number): number =>
      ports.reduce((total, one) => total + of(one), 0);
    return [
      gauge(
        'connectionCount',
        sum(({ establishedCount }) => establishedCount),
      ),
      gauge(
        'synReceivedCount',
        sum(({ synReceivedCount }) => synReceivedCount),
      ),
      gauge(
        'acceptQueueCount',
        sum(({ acceptQueueCount }) => acceptQueueCount),
      ),
    ];
  };
  return {
    name: 'listener',
    gone: false,
    read() {
      const netstat = read(`${folder}/netstat`) ?? '';
      return [
        ...socketReadings(),
        ...growing('listenOverflowCount', parseNetworkFigure(netstat, 'TcpExt', 'ListenOverflows')),
        ...growing('listenDropCount', parseNetworkFigure(netstat, 'TcpExt', 'ListenDrops')),
      ];
    },
    close() {},
  };
}

const gauge = (quantity: string, value: number): CounterReading => ({
  source: 'listener',
  quantity,
  unit: 'count',
  kind: 'gauge',
  value,
});

const growing = (quantity: string, value: number | undefined): readonly CounterReading[] =>
  value === undefined ? [] : [{ source: 'listener', quantity, unit: 'count', kind: 'cumulative', value }];
