import type { LogFormat } from '../log-format.ts';
import { apacheTimed } from './apache-timed.ts';
import { awsAlb } from './aws-alb.ts';
import { awsElb } from './aws-elb.ts';
import { awsS3 } from './aws-s3.ts';
import { envoy } from './envoy.ts';
import { haproxy } from './haproxy.ts';
import { traefikClf } from './traefik-clf.ts';
import { uwsgi } from './uwsgi.ts';
import { cloudfront } from './cloudfront.ts';
import { ltsv } from './ltsv.ts';
import { squid } from './squid.ts';
import { tsv } from './tsv.ts';
import { w3c } from './w3c.ts';
import { nginxProxyManager } from './nginx-proxy-manager.ts';
import { gunicorn, lighttpd, varnish } from './clf-by-name.ts';
import { morgan } from './morgan.ts';
import { uvicorn } from './uvicorn.ts';
import { har } from './har.ts';
import { azure } from './azure.ts';
import { caddy } from './caddy.ts';
import { cloudflare } from './cloudflare.ts';
import { combined } from './combined.ts';
import { common } from './common.ts';
import { envoyJson } from './envoy-json.ts';
import { gcp } from './gcp.ts';
import { json } from './json.ts';
import { nginxTimed } from './nginx-timed.ts';
import { simple } from './simple.ts';
import { traefikJson } from './traefik-json.ts';
import { vhost } from './vhost.ts';

export type { LogFormat } from '../log-format.ts';

/** Every log format, tried in this order where several fit a file's first lines alike. */
export const LOG_FORMATS: readonly LogFormat[] = [
  simple,
  caddy,
  traefikJson,
  envoyJson,
  cloudflare,
  gcp,
  azure,
  har,
  json,
  haproxy,
  nginxProxyManager,
  traefikClf,
  envoy,
  awsAlb,
  awsElb,
  awsS3,
  uwsgi,
  cloudfront,
  w3c,
  squid,
  ltsv,
  tsv,
  nginxTimed,
  apacheTimed,
  vhost,
  combined,
  common,
  uvicorn,
  morgan,
  lighttpd,
  varnish,
  gunicorn,
];
