import type { Clock } from '../host/host.ts';
import { requireOwnAddresses } from '../host/target-guard.ts';
import { ShiploadError } from '../errors.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { TransportMeasurement } from '../model/measurement.ts';
import { mergeHistograms } from '../stats/histogram.ts';
import type { Channel, Protocol, ProtocolOptions } from './protocol.ts';

type Open = (options: ProtocolOptions, clock: Clock) => Protocol;

/** Fields that are for the service of the url alone. */
const PRIVATE_FIELD = /^(authorization|cookie|host|proxy-authorization)$/i;
/** Fields that speak of a body. */
const BODY_FIELD = /^content-/i;

/**
 * Follows the redirects of answers, `maxRedirects` for each request: its response time runs to the last byte of
 * the last answer. After 303, and after 301 or 302 of a POST, the next request is a GET without a body; 307
 * and 308 keep both (RFC 9110 §15.4). A redirect to another origin goes there only if its address is this
 * machine's, and without credentials.
 *
 * A request that was not led to an answer ends as `too-many-redirects`, `redirect-invalid` (a Location that is no
 * http url) or `url-not-yours`. An answer of 3xx without a Location is an answer.
 */
export function followRedirects(
  open: Open,
  options: ProtocolOptions,
  clock: Clock,
  maxRedirects: number,
): Protocol {
  return new FollowingProtocol(open, options, clock, maxRedirects);
}

/** Where the requests of one origin go. */
interface Origin {
  readonly url: URL;
  readonly protocol: Protocol;
}

class FollowingProtocol implements Protocol {
  readonly name: string;
  readonly clock: Clock;
  readonly maxRedirects: number;
  readonly home: Origin;
  /** Requests of the plan; as many more follow, the same as GET without a body. */
  readonly requests: readonly PlannedRequest[];
  followedCount = 0;

  readonly #open: Open;
  readonly #options: ProtocolOptions;
  readonly #elsewhere = new Map<string, Promise<Origin>>();
  readonly #protocols: Protocol[] = [];
  #isClosed = false;

  constructor(open: Open, options: ProtocolOptions, clock: Clock, maxRedirects: number) {
    this.#open = open;
    this.#options = options;
    this.clock = clock;
    this.maxRedirects = maxRedirects;
    this.requests = options.requests;
    this.home = this.#openOrigin({
      ...options,
      requests: [...options.requests, ...options.requests.map(asGet)],
    });
    this.name = this.home.protocol.name;
  }

  get connectionCount(): number {
    return this.#protocols.reduce((sum, protocol) => sum + protocol.connectionCount, 0);
  }

  takeTransport(): TransportMeasurement {
    const parts = this.#protocols.flatMap((protocol) => protocol.takeTransport?.() ?? []);
    const redirectsFollowedCount = this.followedCount;
    this.followedCount = 0;
    return {
      connectionsOpenedCount: parts.reduce((sum, part) => sum + part.connectionsOpenedCount, 0),
      redirectsFollowedCount,
      connectTime: mergeHistograms(parts.map((part) => part.connectTime)),
    };
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    return new FollowingChannel(this, onDone);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#protocols.map((protocol) => protocol.close()));
  }

  /** The way to another origin; rejects with `url-not-yours`, and with what its protocol cannot carry. */
  originOf(url: URL): Promise<Origin> {
    const known = this.#elsewhere.get(url.origin);
    if (known !== undefined) return known;
    const origin = this.#admit(new URL(url.origin));
    this.#elsewhere.set(url.origin, origin);
    return origin;
  }

  async #admit(url: URL): Promise<Origin> {
    const addresses = await requireOwnAddresses(url, '--follow');
    if (this.#isClosed) throw new ShiploadError('service-gone', 'the run is over');
    const { requests, headers = {} } = this.#options;
    const strangers = requests.map(withoutPrivateFields);
    const { socketPath: _, ...options } = this.#options;
    return this.#openOrigin({
      ...options,
      url,
      connectAddresses: addresses,
      headers: filterFields(headers, PRIVATE_FIELD),
      requests: [...strangers, ...strangers.map(asGet)],
    });
  }

  #openOrigin(options: ProtocolOptions): Origin {
    const protocol = this.#open(options, this.clock);
    this.#protocols.push(protocol);
    return { url: options.url, protocol };
  }
}

/** One request at a time, and the redirects of its answer. */
class FollowingChannel implements Channel {
  outcome: Channel['outcome'] = 'ok';
  status = 0;
  errorCode = '';
  errorDetail = '';
  receivedBytes = 0;
  sentAtSeconds = 0;
  endedAtSeconds = 0;
  retried = false;

  readonly #host: FollowingProtocol;
  readonly #onDone: (channel: Channel) => void;
  readonly #channels = new Map<Protocol, Channel>();
  #startedAtSeconds = Infinity;
  #url: URL;
  #requestIndex = 0;
  #followedCount = 0;
  /** Tells the answers of a request that was closed from those of the one after it. */
  #generation = 0;

  constructor(host: FollowingProtocol, onDone: (channel: Channel) => void) {
    this.#host = host;
    this.#onDone = onDone;
    this.#url = host.home.url;
  }

  send(requestIndex: number, target: string, waitingSinceSeconds?: number): void {
    if (this.#startedAtSeconds !== Infinity) throw new Error('send was called while a request is in flight');
    this.#startedAtSeconds = waitingSinceSeconds ?? this.#host.clock.nowSeconds();
    this.#requestIndex = requestIndex;
    this.#followedCount = 0;
    this.receivedBytes = 0;
    this.sentAtSeconds = 0;
    this.retried = false;
    this.#url = new URL(target, this.#host.home.url);
    this.#channelOf(this.#host.home.protocol).send(requestIndex, target, this.#startedAtSeconds);
  }

  close(): void {
    this.#generation += 1;
    this.#startedAtSeconds = Infinity;
    for (const channel of this.#channels.values()) channel.close();
  }

  #channelOf(protocol: Protocol): Channel {
    const known = this.#channels.get(protocol);
    if (known !== undefined) return known;
    const channel = protocol.openChannel(this.#onAnswer);
    this.#channels.set(protocol, channel);
    return channel;
  }

  readonly #onAnswer = (answer: Channel): void => {
    this.receivedBytes += answer.receivedBytes;
    if (this.#followedCount === 0) this.sentAtSeconds = answer.sentAtSeconds;
    this.retried ||= answer.retried;
    this.status = answer.status;
    this.endedAtSeconds = answer.endedAtSeconds;
    const location = answer.location ?? '';
    const isRedirect = answer.outcome === 'ok' && answer.status >= 300 && location !== '';
    if (isRedirect) this.#follow(location.trim());
    else this.#finish(answer.outcome, answer.errorCode, answer.errorDetail ?? '');
  };

  #follow(location: string): void {
    if (this.#followedCount === this.#host.maxRedirects) {
      this.#finish('error', 'too-many-redirects', location);
      return;
    }
    const url = URL.canParse(location, this.#url.href) ? new URL(location, this.#url) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      this.#finish('error', 'redirect-invalid', location);
      return;
    }
    this.#url = url;
    if (this.#becomesGet()) this.#requestIndex += this.#host.requests.length;
    const { home } = this.#host;
    if (url.origin === home.url.origin) this.#resend(home.protocol);
    else this.#resendElsewhere(url);
  }

  #becomesGet(): boolean {
    const request = this.#host.requests[this.#requestIndex];
    if (request === undefined || request.method === 'HEAD') return false;
    return this.status === 303 || (request.method === 'POST' && (this.status === 301 || this.status === 302));
  }

  #resendElsewhere(url: URL): void {
    const generation = this.#generation;
    const isCurrent = (): boolean => generation === this.#generation;
    this.#host.originOf(url).then(
      ({ protocol }) => {
        if (isCurrent()) this.#resend(protocol);
      },
      (error: unknown) => {
        if (isCurrent()) this.#finish('error', codeOf(error), String(error));
      },
    );
  }

  #resend(protocol: Protocol): void {
    this.#followedCount += 1;
    this.#host.followedCount += 1;
    const { pathname, search } = this.#url;
    this.#channelOf(protocol).send(this.#requestIndex, pathname + search, this.#startedAtSeconds);
  }

  #finish(outcome: Channel['outcome'], errorCode: string, errorDetail: string): void {
    this.#startedAtSeconds = Infinity;
    this.outcome = outcome;
    this.errorCode = errorCode;
    this.errorDetail = errorDetail;
    this.#onDone(this);
  }
}

const codeOf = (error: unknown): string => (error instanceof ShiploadError ? error.code : 'redirect-invalid');

function asGet(request: PlannedRequest): PlannedRequest {
  const { body: _, ...bodiless } = request;
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  return { ...bodiless, method, headers: filterFields(request.headers ?? {}, BODY_FIELD) };
}

const withoutPrivateFields = (request: PlannedRequest): PlannedRequest => ({
  ...request,
  headers: filterFields(request.headers ?? {}, PRIVATE_FIELD),
});

const filterFields = (
  fields: Readonly<Record<string, string>>,
  excluded: RegExp,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !excluded.test(name)));
