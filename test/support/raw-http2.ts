import { createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from './protocols.ts';

const PREFACE_BYTES = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const GOAWAY = 7;
const END_STREAM = 1;
const END_HEADERS = 4;
const ACK = 1;
/** HPACK: entry 8 of the static table, `:status: 200`. */
const STATUS_200 = Buffer.from([0x88]);

/** One connection of a service that writes frames itself, so that it can break every rule (RFC 9113 §4, §6). */
export class RawHttp2Connection {
  readonly index: number;
  readonly socket: Socket;
  /** Streams begun by the client so far. */
  streamCount = 0;

  constructor(index: number, socket: Socket) {
    this.index = index;
    this.socket = socket;
  }

  head(stream: number, end = false): void {
    this.#frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, STATUS_200);
  }

  data(stream: number, text: string, end = false): void {
    this.#frame(DATA, end ? END_STREAM : 0, stream, Buffer.from(text));
  }

  answer(stream: number): void {
    this.head(stream);
    this.data(stream, 'ok', true);
  }

  reset(stream: number, code: number): void {
    this.#frame(RST_STREAM, 0, stream, Buffer.from([0, 0, 0, code]));
  }

  goAway(lastStream: number, code: number): void {
    this.#frame(GOAWAY, 0, 0, Buffer.from([0, 0, 0, lastStream, 0, 0, 0, code]));
  }

  settings(ack: boolean): void {
    this.#frame(SETTINGS, ack ? ACK : 0, 0, Buffer.alloc(0));
  }

  #frame(type: number, flags: number, stream: number, payload: Buffer): void {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    this.socket.write(Buffer.concat([head, payload]));
  }
}

/** A service in clear text whose `answer` is called with every request's stream, once its settings are exchanged. */
export async function rawHttp2Service(
  t: TestContext,
  answer: (connection: RawHttp2Connection, stream: number) => void,
): Promise<string> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    const connection = new RawHttp2Connection(connections++, socket);
    let pending = Buffer.alloc(0);
    let prefaceRead = false;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      pending = Buffer.concat([pending, data]);
      if (!prefaceRead && pending.length >= PREFACE_BYTES) {
        prefaceRead = true;
        pending = pending.subarray(PREFACE_BYTES);
        connection.settings(false);
      }
      if (!prefaceRead) return;
      while (pending.length >= 9 && pending.length >= 9 + pending.readUIntBE(0, 3)) {
        const [type, flags, stream] = [pending[3]!, pending[4]!, pending.readUInt32BE(5)];
        pending = pending.subarray(9 + pending.readUIntBE(0, 3));
        if (type === SETTINGS && (flags & ACK) === 0) connection.settings(true);
        if (type === HEADERS) {
          connection.streamCount += 1;
          answer(connection, stream);
        }
      }
    });
  });
  return `http://127.0.0.1:${await listen(t, server)}`;
}
