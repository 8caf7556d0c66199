import { createServer, type Server } from 'node:http';
import type { RunEvent } from '../drive/run-plan.ts';
import { ShiploadError } from '../errors.ts';
import { PROMETHEUS_CONTENT_TYPE, prometheusText } from './prometheus-text.ts';
import { push } from './push.ts';
import { RunMetrics } from './run-metrics.ts';
import type { ExportTarget, PushTarget, ScrapeTarget } from './targets.ts';

/** A run writes a frame a second; a store needs no more than every fifth. */
const PUSH_EVERY_SECONDS = 5;

export interface LiveExports {
  /** Never waits, never throws: what watches a run must not slow it. */
  readonly onEvent: (event: RunEvent) => void;
  /** Sends what the run came to, then ends. */
  close(): Promise<void>;
}

/** Opens what a run is exported to while it goes on. Throws `port-in-use` for an address that cannot be had. */
export async function openExports(
  targets: readonly ExportTarget[],
  label: string,
  say: (text: string) => void,
): Promise<LiveExports> {
  const metrics = new RunMetrics(label, Date.now());
  const servers: Server[] = [];
  for (const target of targets) if (target.kind === 'scrape') servers.push(await serve(target, metrics, say));
  const pushers = targets.flatMap((target) =>
    target.kind === 'push' ? [new Pusher(target, metrics, say)] : [],
  );
  return {
    onEvent: (event) => {
      if (event.kind !== 'frame') return;
      metrics.add(event, event.step);
      for (const pusher of pushers) pusher.tick(event.frame.endedAtSeconds);
    },
    close: async () => {
      await Promise.all(pushers.map((pusher) => pusher.finish()));
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** One push at a time: a slow store gets fewer of them, each with all counts so far. */
class Pusher {
  readonly #target: PushTarget;
  readonly #metrics: RunMetrics;
  readonly #say: (text: string) => void;
  #lastAtSeconds = 0;
  #hasFailed = false;
  #underWay: Promise<void> | undefined;

  constructor(target: PushTarget, metrics: RunMetrics, say: (text: string) => void) {
    this.#target = target;
    this.#metrics = metrics;
    this.#say = say;
  }

  tick(atSeconds: number): void {
    if (this.#underWay !== undefined || atSeconds - this.#lastAtSeconds < PUSH_EVERY_SECONDS) return;
    this.#lastAtSeconds = atSeconds;
    this.#underWay = this.#push().finally(() => {
      this.#underWay = undefined;
    });
  }

  async finish(): Promise<void> {
    await this.#underWay;
    await this.#push();
  }

  async #push(): Promise<void> {
    try {
      await push(this.#target, this.#metrics.snapshot());
    } catch (error) {
      if (!this.#hasFailed) this.#say(`Not exported: ${(error as Error).message}; the run goes on`);
      this.#hasFailed = true;
    }
  }
}

async function serve(
  { host, port }: ScrapeTarget,
  metrics: RunMetrics,
  say: (text: string) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    response.writeHead(isRead ? 200 : 404, { 'content-type': PROMETHEUS_CONTENT_TYPE });
    response.end(isRead ? prometheusText(metrics.snapshot()) : 'metrics are at /metrics\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new ShiploadError('port-in-use', `${host}:${port} cannot be listened on`, {
          where: '--export prometheus',
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address !== null && typeof address === 'object')
    say(`Prometheus scrapes http://${host}:${address.port}/metrics while the run goes on`);
  return server;
}
