import { ShiploadError } from '../errors.ts';
import { influxLines } from './influx-lines.ts';
import type { MetricSnapshot } from './metric.ts';
import { otlpRequest } from './otlp-json.ts';
import { REMOTE_WRITE_HEADERS, remoteWriteBody } from './remote-write.ts';

/** A place that snapshots are sent to by HTTP. */
export interface PushTarget {
  readonly kind: 'push';
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (snapshot: MetricSnapshot) => string | Buffer;
}

/** An address at which Prometheus scrapes. */
export interface ScrapeTarget {
  readonly kind: 'scrape';
  readonly host: string;
  readonly port: number;
}

export type ExportTarget = PushTarget | ScrapeTarget;

type PushForm = Pick<PushTarget, 'headers' | 'body'>;

/** Forms that are pushed, by the word before the URL. */
const PUSH_FORMS: Readonly<Record<string, PushForm>> = {
  'remote-write': { headers: REMOTE_WRITE_HEADERS, body: remoteWriteBody },
  otlp: {
    headers: { 'content-type': 'application/json' },
    body: (snapshot) => JSON.stringify(otlpRequest(snapshot)),
  },
  influx: { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: influxLines },
};

export const EXPORT_FORMS = ['prometheus', ...Object.keys(PUSH_FORMS)] as const;

/** `prometheus=[host]:port`, or `form=URL`. Throws `option-invalid`. */
export function parseExportTarget(text: string): ExportTarget {
  const [name, ...rest] = text.split('=');
  const place = rest.join('=');
  if (name === 'prometheus') return scrapeTarget(place, text);
  const form = Object.hasOwn(PUSH_FORMS, name!) ? PUSH_FORMS[name!] : undefined;
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (form === undefined || url === undefined || !/^https?:$/.test(url.protocol)) throw invalid(text);
  return { kind: 'push', name: name!, url, ...form };
}

/** Without a host only this machine can scrape. */
function scrapeTarget(place: string, text: string): ScrapeTarget {
  const [, host, port] = /^(?:(.*):)?(\d{1,5})$/.exec(place) ?? [];
  if (port === undefined || Number(port) > 65_535) throw invalid(text);
  return {
    kind: 'scrape',
    host: host === undefined || host === '' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port),
  };
}

const invalid = (text: string): ShiploadError =>
  new ShiploadError('option-invalid', `nothing can be exported to "${text}"`, {
    where: '--export',
    hint: 'prometheus=:9464, otlp=http://host:4318/v1/metrics, influx=http://host:8086/write?db=load, remote-write=http://host:9090/api/v1/write',
  });
