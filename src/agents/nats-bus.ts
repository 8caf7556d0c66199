import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Objm, ObjectStore } from '@nats-io/obj';
import { ShiploadError } from '../errors.ts';
import type { BrokerAccess } from './broker-access.ts';
import { type Bus, BusError, type BusMessage } from './bus.ts';
import { loadNats, type NatsClient } from './load-nats.ts';
import { keptSubjects } from './subjects.ts';

/** What runs leave on the broker goes after so long. */
const KEPT_NANOSECONDS = 7 * 24 * 3600 * 1e9;
/** A bundle is there while its run goes on; of a coordinator that was killed it goes after a day. */
const BUNDLE_NANOSECONDS = 24 * 3600 * 1e9;
const BUCKET = 'shipload';
const STREAM_PREFIX = 'SHIPLOAD_';
const ASK_MILLISECONDS = 3000;
const RECONNECT_MILLISECONDS = 100;
const DRAIN_MILLISECONDS = 2000;

const streamOf = (runId: string): string => `${STREAM_PREFIX}${runId}`;
/** A bucket of its own: what is deleted in one that others use stays in its files until they are written anew. */
const bundleBucketOf = (runId: string): string => `${BUCKET}_${runId}`;

/**
 * Connects to a NATS server with JetStream, and from then on connects again for ever. Throws `broker-unreachable`, also
 * where the server has no JetStream or does not let us use it.
 */
export async function connectNats(access: BrokerAccess, name: string): Promise<Bus> {
  const nats = await loadNats();
  const connection = await connected(nats, access, name);
  try {
    const js = nats.jetstream.jetstream(connection, { timeout: ASK_MILLISECONDS });
    const manager = await js.jetstreamManager();
    const buckets = new nats.obj.Objm(js);
    const objects = await buckets.create(BUCKET, {
      ttl: KEPT_NANOSECONDS,
      storage: nats.jetstream.StorageType.File,
    });
    return new NatsBus(nats, connection, js, manager, buckets, objects);
  } catch (cause) {
    await connection.close();
    throw unreachable(access, `it does not let us use JetStream: ${wordsOf(cause)}`, cause);
  }
}

async function connected(
  { transport }: NatsClient,
  access: BrokerAccess,
  name: string,
): Promise<NatsConnection> {
  const { servers, user, password, creds, tls } = access;
  try {
    return await transport.connect({
      servers: [...servers],
      name,
      ...(user !== undefined && { user, ...(password !== undefined && { pass: password }) }),
      ...(creds !== undefined && { authenticator: transport.credsAuthenticator(creds) }),
      ...(tls !== undefined && { tls: secured(tls, servers) }),
      timeout: 5000,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MILLISECONDS,
      reconnectJitter: RECONNECT_MILLISECONDS,
      reconnectJitterTLS: RECONNECT_MILLISECONDS,
      pingInterval: 2000,
      maxPingOut: 3,
    });
  } catch (cause) {
    throw unreachable(access, wordsOf(cause), cause);
  }
}

/**
 * For a broker that is named by its address the client tells Node no name, which is then looked for as `localhost` in the
 * certificate; it must be of one of the addresses that were named.
 */
function secured(tls: NonNullable<BrokerAccess['tls']>, servers: readonly string[]) {
  const addresses = servers.map((server) => new URL(`nats://${server}`).hostname.replace(/^\[|\]$/g, ''));
  const numbers = addresses.filter((address) => isIP(address) > 0);
  return {
    ...tls,
    checkServerIdentity: (name: string, certificate: PeerCertificate): Error | undefined => {
      const isNamed = numbers.length === 0 || name !== 'localhost' || addresses.includes(name);
      const faults = (isNamed ? [name] : numbers).map((one) => checkServerIdentity(one, certificate));
      return faults.includes(undefined) ? undefined : faults[0];
    },
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What to do about what a broker or the way to it says. */
const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/jetstream is not enabled/i, 'Start it with: nats-server --jetstream'],
  [
    /insufficient (?:storage|memory)/i,
    'Make room on its disk, or raise max_file_store in its configuration.',
  ],
  [
    /authorization|authentication|credentials|permissions/i,
    'Give the user by --creds, or by name and password in the url; it needs the subjects of docs/agents.md.',
  ],
  [
    /certificate|altnames|\btls\b|ssl|key values/i,
    'See --tls-ca, --tls-cert, --tls-key, and the name in the url.',
  ],
];

const unreachable = ({ servers }: BrokerAccess, why: string, cause: unknown): ShiploadError =>
  new ShiploadError('broker-unreachable', `the broker at ${servers.join(', ')} cannot be used: ${why}`, {
    where: '--nats',
    hint: HINTS.find(([pattern]) => pattern.test(why))?.[1] ?? 'Start one with: nats-server --jetstream',
    cause,
  });

const noRun = (runId: string, cause?: unknown): ShiploadError =>
  new ShiploadError('file-not-found', `the broker keeps no run ${runId}`, {
    where: runId,
    hint: 'shipload report --nats URL lists the runs that it keeps.',
    cause,
  });

class NatsBus implements Bus {
  readonly #nats: NatsClient;
  readonly #connection: NatsConnection;
  readonly #js: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #buckets: Objm;
  readonly #objects: ObjectStore;

  constructor(
    nats: NatsClient,
    connection: NatsConnection,
    js: JetStreamClient,
    manager: JetStreamManager,
    buckets: Objm,
    objects: ObjectStore,
  ) {
    this.#nats = nats;
    this.#connection = connection;
    this.#js = js;
    this.#manager = manager;
    this.#buckets = buckets;
    this.#objects = objects;
  }

  get mostBytes(): number {
    return this.#connection.info?.max_payload ?? 1 << 20;
  }

  publish(subject: string, data: Uint8Array): void {
    if (!this.#connection.isClosed()) this.#connection.publish(subject, data);
  }

  subscribe(subject: string, onMessage: (message: BusMessage) => void): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null) return;
        onMessage({
          subject: message.subject,
          data: message.data,
          respond: (data) => void message.respond(data),
        });
      },
    });
    return () => subscription.unsubscribe();
  }

  async request(subject: string, data: Uint8Array, timeoutSeconds: number): Promise<Uint8Array> {
    try {
      return (await this.#connection.request(subject, data, { timeout: timeoutSeconds * 1e3 })).data;
    } catch (cause) {
      const { NoRespondersError, RequestError } = this.#nats.transport;
      const nobodyListens =
        cause instanceof NoRespondersError || (cause instanceof RequestError && cause.isNoResponders());
      throw new BusError(wordsOf(cause), { nobodyListens, cause });
    }
  }

  async openStream(runId: string): Promise<void> {
    const { RetentionPolicy, StorageType, DiscardPolicy } = this.#nats.jetstream;
    await this.#manager.streams.add({
      name: streamOf(runId),
      subjects: [...keptSubjects(runId)],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      // A subject has one message, whoever sends it how often.
      max_msgs_per_subject: 1,
      max_age: KEPT_NANOSECONDS,
    });
  }

  async dropStream(runId: string): Promise<void> {
    await this.#manager.streams.delete(streamOf(runId));
  }

  async store(subject: string, data: Uint8Array, messageId: string, timeoutSeconds: number): Promise<void> {
    try {
      await this.#js.publish(subject, data, { msgID: messageId, timeout: timeoutSeconds * 1e3 });
    } catch (cause) {
      throw new BusError(wordsOf(cause), { cause });
    }
  }

  async stored(runId: string, subject: string): Promise<Uint8Array | undefined> {
    const message = await this.#manager.streams.getMessage(streamOf(runId), { last_by_subj: subject });
    return message?.data;
  }

  async *replay(
    runId: string,
    patterns: readonly string[],
  ): AsyncGenerator<{ readonly subject: string; readonly data: Uint8Array }> {
    for (const pattern of patterns) {
      const consumer = await this.#consumer(runId, pattern);
      let left = (await consumer.info()).num_pending;
      while (left > 0) {
        const messages = await consumer.fetch({ max_messages: Math.min(left, 1000), expires: 5000 });
        let count = 0;
        for await (const { subject, data } of messages) {
          count += 1;
          yield { subject, data };
        }
        if (count === 0) throw new BusError(`the stream of run ${runId} ended before its last message`);
        left -= count;
      }
    }
  }

  async #consumer(runId: string, pattern: string) {
    if (!/^\w+$/.test(runId)) throw noRun(runId);
    try {
      return await this.#js.consumers.get(streamOf(runId), { filter_subjects: pattern });
    } catch (cause) {
      if (!/stream not found/i.test(wordsOf(cause))) throw cause;
      throw noRun(runId, cause);
    }
  }

  async runs(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { config, created } of this.#manager.streams.list())
      if (config.name.startsWith(STREAM_PREFIX))
        names.push(`${created} ${config.name.slice(STREAM_PREFIX.length)}`);
    return names.toSorted().map((entry) => entry.slice(entry.indexOf(' ') + 1));
  }

  async putObject(name: string, data: Uint8Array): Promise<void> {
    await this.#objects.putBlob({ name }, data, { timeout: ASK_MILLISECONDS });
  }

  async getObject(name: string): Promise<Uint8Array | undefined> {
    return (await this.#objects.getBlob(name)) ?? undefined;
  }

  async putBundle(runId: string, name: string, data: Uint8Array): Promise<void> {
    const bucket = await this.#buckets.create(bundleBucketOf(runId), {
      ttl: BUNDLE_NANOSECONDS,
      storage: this.#nats.jetstream.StorageType.File,
    });
    await bucket.putBlob({ name }, data, { timeout: ASK_MILLISECONDS });
  }

  async getBundle(runId: string, name: string): Promise<Uint8Array | undefined> {
    const bucket = await this.#bundle(runId);
    return (await bucket?.getBlob(name)) ?? undefined;
  }

  async dropBundle(runId: string): Promise<void> {
    await (await this.#bundle(runId))?.destroy();
  }

  /** Undefined where the run has none, or none any more. */
  async #bundle(runId: string): Promise<ObjectStore | undefined> {
    try {
      return await this.#buckets.open(bundleBucketOf(runId));
    } catch (cause) {
      if (/not found/i.test(wordsOf(cause))) return undefined;
      throw cause;
    }
  }

  renew(): void {
    this.#connection.reconnect().catch(() => undefined);
  }

  async close(): Promise<void> {
    // Draining waits for the broker, which may be away.
    const drained = new AbortController();
    await Promise.race([
      this.#connection.drain().catch(() => undefined),
      setTimeout(DRAIN_MILLISECONDS, undefined, drained).catch(() => undefined),
    ]);
    drained.abort();
    await this.#connection.close();
  }
}
