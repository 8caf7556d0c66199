import { COLON, SLASH, bytesOf } from './bytes.ts';
import { unescapeText, type EscapeStyle } from './unescape.ts';
import type { LogTable } from '../model/log-table.ts';
import type { LineFields } from './log-format.ts';
import { TextTable, grown, type TextLimit } from './text-table.ts';

const EMPTY = new Uint8Array(0);
/** Stands for the targets that a log with too many of them has beyond the limit. */
export const REST_TARGET = '/[too-many-targets]';
/** Referers tell which requests a page makes; a log with more of them tells it by these. */
const REFERER_LIMIT: TextLimit = { texts: 1 << 18, bytes: 1 << 24 };
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Path and query in origin form: the origin of `GET http://host/path` and a fragment are no part of it. */
export function originForm(target: string): string {
  if (target.startsWith('/') && !target.includes('#')) return target;
  const path = target.replace(ORIGIN, '').split('#', 1)[0]!;
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

/** Where the path of an absolute address begins; the start of any other text. */
function pathStart(bytes: Uint8Array, start: number, end: number): number {
  const colon = bytes.indexOf(COLON, start);
  if (colon < start || colon + 2 >= end || bytes[colon + 1] !== SLASH || bytes[colon + 2] !== SLASH)
    return start;
  const path = bytes.indexOf(SLASH, colon + 3);
  return path < 0 || path > end ? end : path;
}

export type LogColumns = Omit<
  LogTable,
  'files' | 'format' | 'timestampMeaning' | 'stampResolutionSeconds' | 'lines' | 'lineExamples' | 'notices'
>;

/** Gathers requests into growing columns; texts are numbered, so that a request costs 36 bytes, and 40 with its referer. */
export class TableBuilder {
  #rowCount = 0;
  #capacity = 1 << 14;
  #at = new Float64Array(this.#capacity);
  #responseTime = new Float64Array(this.#capacity);
  #status = new Uint16Array(this.#capacity);
  #methodIds = new Uint16Array(this.#capacity);
  #targetIds = new Uint32Array(this.#capacity);
  #clientIds = new Uint32Array(this.#capacity);
  #agentIds = new Uint32Array(this.#capacity);
  /** Only where a line names a user. */
  #userIds: Uint32Array | undefined;
  /** Only where a line has a referer. */
  #refererIds: Uint32Array | undefined;
  #badCount = 0;
  #badAt = new Float64Array(16);
  #badClientIds = new Uint32Array(16);
  #lastReferer = 0;
  #lastAgents = new Uint32Array(1 << 10);
  /** Their numbers are kept in sixteen bits, and no service has a hundredth of that. */
  readonly #methods: TextTable;
  readonly #targets: TextTable;
  readonly #clients: TextTable;
  readonly #agents: TextTable;
  readonly #users: TextTable;
  readonly #referers = new TextTable(EMPTY, REFERER_LIMIT);

  constructor(limit?: TextLimit) {
    this.#methods = new TextTable(bytesOf('OTHER'), { texts: 1000, bytes: 1 << 16 });
    this.#targets = new TextTable(bytesOf(REST_TARGET), limit);
    // A client or a user agent that is not told.
    this.#clients = new TextTable(bytesOf('-'), limit);
    this.#agents = new TextTable(EMPTY, limit);
    this.#users = new TextTable(EMPTY, limit);
    this.#users.idOf(EMPTY, 0, 0);
    this.#agents.idOf(EMPTY, 0, 0);
    this.#referers.idOf(EMPTY, 0, 0);
  }

  /** What there was no room for: requests by the column that lost their text. */
  get overflow(): Readonly<Record<'targets' | 'clients' | 'user agents' | 'methods', number>> {
    return {
      targets: this.#targets.overflowCount,
      clients: this.#clients.overflowCount,
      'user agents': this.#agents.overflowCount,
      methods: this.#methods.overflowCount,
    };
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  add(bytes: Uint8Array, fields: LineFields, startSeconds: number): void {
    const row = this.#rowCount;
    if (row === this.#capacity) this.#grow();
    this.#at[row] = startSeconds;
    this.#responseTime[row] = fields.durationSeconds;
    this.#status[row] = fields.status;
    this.#methodIds[row] = this.#methods.idOfLikely(bytes, fields.methodStart, fields.methodEnd, 0);
    this.#targetIds[row] = this.#targets.idOf(bytes, fields.targetStart, fields.targetEnd);
    const client = this.#clients.idOf(bytes, fields.clientStart, fields.clientEnd);
    this.#clientIds[row] = client;
    this.#agentIds[row] = this.#agentOf(client, bytes, fields.agentStart, fields.agentEnd);
    if (fields.userEnd > fields.userStart) {
      this.#userIds ??= new Uint32Array(this.#capacity);
      this.#userIds[row] = this.#users.idOf(bytes, fields.userStart, fields.userEnd);
    }
    if (fields.refererEnd > fields.refererStart)
      this.#addReferer(row, bytes, fields.refererStart, fields.refererEnd);
    this.#rowCount += 1;
  }

  /** A line whose request is none: who sent it and when is known all the same. */
  addBad(bytes: Uint8Array, fields: LineFields): void {
    if (this.#badCount === this.#badAt.length) {
      this.#badAt = grown(this.#badAt, Float64Array, this.#badCount + 1);
      this.#badClientIds = grown(this.#badClientIds, Uint32Array, this.#badCount + 1);
    }
    this.#badAt[this.#badCount] = fields.stampSeconds;
    this.#badClientIds[this.#badCount] = this.#clients.idOf(bytes, fields.clientStart, fields.clientEnd);
    this.#badCount += 1;
  }

  /** All that a page loads has the page as its referer, so the last one is tried before the table is asked. */
  #addReferer(row: number, bytes: Uint8Array, start: number, end: number): void {
    this.#refererIds ??= new Uint32Array(this.#capacity);
    this.#lastReferer = this.#referers.idOfLikely(bytes, start, end, this.#lastReferer);
    this.#refererIds[row] = this.#lastReferer;
  }

  /** Compared as written: what one writer wrote of one address is the same text. */
  #refererTargets(refererIds: Uint32Array): Uint32Array {
    const targetOf = this.#referers.mapped((bytes, start, end) => {
      const whole = this.#targets.find(bytes, start, end);
      return 1 + (whole >= 0 ? whole : this.#targets.find(bytes, pathStart(bytes, start, end), end));
    });
    return refererIds.map((id) => targetOf[id]!);
  }

  /** A client seldom changes its user agent, so the one it had is tried before the table is asked. */
  #agentOf(client: number, bytes: Uint8Array, start: number, end: number): number {
    if (client >= this.#lastAgents.length)
      this.#lastAgents = grown(this.#lastAgents, Uint32Array, client + 1);
    const agent = this.#agents.idOfLikely(bytes, start, end, this.#lastAgents[client]!);
    this.#lastAgents[client] = agent;
    return agent;
  }

  /** The columns so far; texts are decoded as the writer escaped them. */
  columns(escapes: EscapeStyle): LogColumns {
    const decode = (bytes: Uint8Array, start: number, end: number): string =>
      unescapeText(bytes, start, end, escapes);
    const count = this.#rowCount;
    return {
      rowCount: count,
      atSeconds: this.#at.subarray(0, count),
      responseTimeSeconds: this.#responseTime.subarray(0, count),
      status: this.#status.subarray(0, count),
      methodIds: this.#methodIds.subarray(0, count),
      targetIds: this.#targetIds.subarray(0, count),
      clientIds: this.#clientIds.subarray(0, count),
      agentIds: this.#agentIds.subarray(0, count),
      ...(this.#userIds !== undefined && {
        userIds: this.#userIds.subarray(0, count),
        users: this.#users.decoded(decode),
      }),
      ...(this.#refererIds !== undefined && {
        refererTargetIds: this.#refererTargets(this.#refererIds.subarray(0, count)),
      }),
      ...(this.#badCount > 0 && {
        badRequests: {
          stampSeconds: this.#badAt.subarray(0, this.#badCount),
          clientIds: this.#badClientIds.subarray(0, this.#badCount),
        },
      }),
      methods: this.#methods.decoded(decode),
      targets: this.#targets.decoded((bytes, start, end) => originForm(decode(bytes, start, end))),
      clients: this.#clients.decoded(decode),
      agents: this.#agents.decoded(decode),
    };
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    this.#at = grown(this.#at, Float64Array, capacity);
    this.#responseTime = grown(this.#responseTime, Float64Array, capacity);
    this.#status = grown(this.#status, Uint16Array, capacity);
    this.#methodIds = grown(this.#methodIds, Uint16Array, capacity);
    this.#targetIds = grown(this.#targetIds, Uint32Array, capacity);
    this.#clientIds = grown(this.#clientIds, Uint32Array, capacity);
    this.#agentIds = grown(this.#agentIds, Uint32Array, capacity);
    if (this.#userIds !== undefined) this.#userIds = grown(this.#userIds, Uint32Array, capacity);
    if (this.#refererIds !== undefined) this.#refererIds = grown(this.#refererIds, Uint32Array, capacity);
    this.#capacity = capacity;
  }
}
