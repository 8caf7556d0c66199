const LISTENING = '0A';
const ESTABLISHED = '01';
const SYN_RECEIVED = '03';

/** One socket of /proc/net/tcp or tcp6. */
interface TcpSocket {
  readonly state: string;
  readonly receiveQueue: number;
  readonly inode: string;
}

/** The sockets whose local port is `port` (addresses and ports are in hex). */
function socketsAt(text: string, port: number): readonly TcpSocket[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets: TcpSocket[] = [];
  for (const line of text.split('\n')) {
    // Most lines are of other ports: told apart before they are split.
    const end = line.indexOf(' ', line.indexOf(': ') + 2);
    if (end < 0 || !line.slice(0, end).endsWith(ending)) continue;
    const [, , , state, queues, , , , , inode] = line.trim().split(/\s+/);
    if (state === undefined || queues === undefined || inode === undefined) continue;
    sockets.push({ state, receiveQueue: Number.parseInt(queues.split(':')[1] ?? '', 16), inode });
  }
  return sockets;
}

/** Inodes of the sockets that listen on a port, from /proc/net/tcp or tcp6. */
export const parseListeningInodes = (text: string, port: number): readonly string[] =>
  socketsAt(text, port)
    .filter(({ state }) => state === LISTENING)
    .map(({ inode }) => inode);

/** Connections at a port of this side. */
export interface PortSockets {
  readonly isListening: boolean;
  readonly establishedCount: number;
  readonly synReceivedCount: number;
  /** Connected and not yet accepted, Σ over the listening sockets. */
  readonly acceptQueueCount: number;
}

/** Counts the sockets at `port` in /proc/net/tcp or tcp6. Source: the kernel's proc_net_tcp. */
export function parsePortSockets(text: string, port: number): PortSockets {
  const sockets = socketsAt(text, port);
  const count = (wanted: string): number => sockets.filter(({ state }) => state === wanted).length;
  const listening = sockets.filter(({ state }) => state === LISTENING);
  return {
    isListening: listening.length > 0,
    establishedCount: count(ESTABLISHED),
    synReceivedCount: count(SYN_RECEIVED),
    acceptQueueCount: listening.reduce((sum, { receiveQueue }) => sum + receiveQueue, 0),
  };
}

/**
 * A figure of /proc/net/netstat or /proc/net/snmp: pairs of lines `Group: names…` and `Group: values…`. Undefined
 * when the group or the name is not there.
 */
export function parseNetworkFigure(text: string, group: string, name: string): number | undefined {
  const [names, values] = text
    .split('\n')
    .filter((line) => line.startsWith(`${group}: `))
    .map((line) => line.split(' '));
  const at = names?.indexOf(name) ?? -1;
  const value = at < 0 ? undefined : values?.[at];
  return value === undefined ? undefined : Number(value);
}

/** Σ over all interfaces since boot, loopback too. */
export interface NetworkTotals {
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Errors and drops of both directions. */
  readonly errorCount: number;
}

/** Parses /proc/net/dev: `name: bytes packets errs drop … bytes packets errs drop …`. */
export function parseNetworkTotals(text: string): NetworkTotals {
  let receivedBytes = 0;
  let sentBytes = 0;
  let errorCount = 0;
  for (const line of text.split('\n')) {
    const fields = line.split(':')[1]?.trim().split(/\s+/).map(Number);
    if (fields === undefined || fields.length < 12 || fields.some(Number.isNaN)) continue;
    receivedBytes += fields[0]!;
    sentBytes += fields[8]!;
    errorCount += fields[2]! + fields[3]! + fields[10]! + fields[11]!;
  }
  return { receivedBytes, sentBytes, errorCount };
}
