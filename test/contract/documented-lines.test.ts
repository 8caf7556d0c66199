import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLog } from '../../src/access-log/read-log.ts';
import { logText } from '../support/log-source.ts';

/** What a line says, as the documentation of its server explains it. */
interface Wanted {
  readonly client: string;
  readonly at: string;
  readonly seconds?: number;
  readonly request: string;
  readonly status: number;
  readonly user?: string;
}

interface Documented {
  readonly server: string;
  /** Where the line, or its layout, is documented. */
  readonly source: string;
  /** As `--format` takes it. */
  readonly given?: string;
  readonly format: string;
  readonly lines: readonly string[];
  readonly wanted: Wanted;
}

const tabs = (text: string): string => text.trim().split(/\s+/).join('\t');

const DOCUMENTED: readonly Documented[] = [
  {
    server: 'simple',
    source: 'docs/how-to.md',
    format: 'simple',
    lines: ['1796000000201 198.51.0.17 GET /books/837 200 294'],
    wanted: {
      client: '198.51.0.17',
      at: '2026-11-30T00:53:20.201Z',
      seconds: 0.294,
      request: 'GET /books/837',
      status: 200,
    },
  },
  {
    server: 'Apache common',
    source: 'httpd.apache.org/docs/2.4/logs.html',
    format: 'common',
    lines: ['127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326'],
    wanted: {
      client: '127.0.0.1',
      at: '2000-10-10T20:55:36Z',
      request: 'GET /apache_pb.gif',
      status: 200,
      user: 'frank',
    },
  },
  {
    server: 'Apache combined',
    source: 'httpd.apache.org/docs/2.4/logs.html',
    format: 'combined',
    lines: [
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
    ],
    wanted: {
      client: '127.0.0.1',
      at: '2000-10-10T20:55:36Z',
      request: 'GET /apache_pb.gif',
      status: 200,
      user: 'frank',
    },
  },
  {
    server: 'Apache vhost_combined',
    source: 'httpd.apache.org/docs/2.4/logs.html (virtual hosts)',
    format: 'vhost-combined',
    lines: [
      'www.example.com:80 127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "-" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
    ],
    wanted: {
      client: '127.0.0.1',
      at: '2000-10-10T20:55:36Z',
      request: 'GET /apache_pb.gif',
      status: 200,
      user: 'frank',
    },
  },
  {
    server: 'Apache LogFormat',
    source: 'httpd.apache.org/docs/2.4/mod/mod_log_config.html',
    given: 'LogFormat "%h %l %u %t \\"%r\\" %>s %b %{ms}T" timed',
    format: 'apache-custom',
    lines: ['127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 250'],
    wanted: {
      client: '127.0.0.1',
      at: '2000-10-10T20:55:36Z',
      seconds: 0.25,
      request: 'GET /apache_pb.gif',
      status: 200,
      user: 'frank',
    },
  },
  {
    server: 'nginx log_format with times',
    source: 'nginx.org/en/docs/http/ngx_http_log_module.html',
    given: `log_format compression '$remote_addr - $remote_user [$time_local] ' '"$request" $status $bytes_sent ' '"$http_referer" "$http_user_agent" "$gzip_ratio" $request_time';`,
    format: 'nginx-custom',
    lines: ['192.0.2.1 - - [10/Oct/2000:13:55:37 -0700] "GET /x HTTP/1.1" 200 512 "-" "curl/8" "2.91" 0.500'],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'ingress-nginx',
    source: 'kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/log-format',
    format: 'nginx-timed',
    lines: [
      '192.0.2.1 - - [10/Oct/2000:13:55:37 -0700] "GET /x HTTP/2.0" 200 512 "-" "curl/8" 321 0.500 [default-web-80] [] 10.1.2.3:8080, 10.1.2.4:8080 0, 512 0.100, 0.390 502, 200 5b8a3f0c9d',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'nginx JSON (escape=json)',
    source: 'nginx.org/en/docs/http/ngx_http_log_module.html',
    format: 'json',
    lines: [
      '{"time_iso8601":"2000-10-10T13:55:37-07:00","remote_addr":"192.0.2.1","remote_user":"","request":"GET /x HTTP/1.1","status":"200","body_bytes_sent":"512","request_time":"0.500","http_user_agent":"curl/8"}',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'Caddy',
    source: 'caddyserver.com/docs/logging',
    format: 'caddy',
    lines: [
      '{"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"127.0.0.1","remote_port":"41342","client_ip":"127.0.0.1","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"],"Accept-Encoding":["gzip, deflate, br"]},"tls":{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"example.com"}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Encoding":["gzip"],"Content-Type":["text/html; charset=utf-8"],"Vary":["Accept-Encoding"]}}',
    ],
    wanted: {
      client: '127.0.0.1',
      at: '2022-03-09T21:30:01.523173Z',
      seconds: 0.000929675,
      request: 'GET /',
      status: 200,
    },
  },
  {
    server: 'Traefik CLF',
    source: 'doc.traefik.io/traefik/observability/access-logs',
    format: 'traefik-clf',
    lines: [
      '192.0.2.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.1" 200 512 "-" "curl/8" 17 "web@docker" "http://10.1.2.3:80" 42ms',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36Z',
      seconds: 0.042,
      request: 'GET /x',
      status: 200,
      user: 'frank',
    },
  },
  {
    server: 'Traefik JSON',
    source: 'doc.traefik.io/traefik/observability/access-logs (fields)',
    format: 'traefik-json',
    lines: [
      '{"ClientAddr":"192.0.2.1:51234","ClientHost":"192.0.2.1","ClientUsername":"-","DownstreamContentSize":512,"DownstreamStatus":200,"Duration":42000000,"OriginDuration":41000000,"OriginStatus":200,"Overhead":1000000,"RequestHost":"example.com","RequestMethod":"GET","RequestPath":"/x","RequestProtocol":"HTTP/1.1","RouterName":"web@docker","StartLocal":"2000-10-10T13:55:36-07:00","StartUTC":"2000-10-10T20:55:36.25Z","level":"info","msg":"","time":"2000-10-10T13:55:36-07:00"}',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.25Z',
      seconds: 0.042,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'HAProxy httplog behind syslog',
    source: 'docs.haproxy.org/2.8/configuration.html §8.2.3',
    format: 'haproxy',
    lines: [
      'Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"',
    ],
    wanted: {
      client: '10.0.1.2',
      at: '2009-02-06T12:14:14.655Z',
      seconds: 0.109,
      request: 'GET /index.html',
      status: 200,
    },
  },
  {
    server: 'HAProxy httplog clf',
    source: 'docs.haproxy.org/2.8/configuration.html (option httplog clf)',
    format: 'haproxy',
    lines: [
      '192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.1" 200 512 "" "" 51234 655 "http-in" "static" "srv1" 10 0 30 69 109 ---- 1 1 1 1 0 0 0 "" "" ',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.655Z',
      seconds: 0.109,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'Envoy text',
    source: 'envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage',
    format: 'envoy',
    lines: [
      '[2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://10.0.2.1:80"',
    ],
    wanted: {
      client: '10.0.35.28',
      at: '2016-04-15T20:17:00.310Z',
      seconds: 0.226,
      request: 'POST /api/v1/locations',
      status: 204,
    },
  },
  {
    server: 'Istio text',
    source: 'istio.io/latest/docs/tasks/observability/logs/access-log',
    format: 'envoy',
    lines: [
      '[2020-11-25T21:26:18.409Z] "GET /status/418 HTTP/1.1" 418 - via_upstream - "-" 0 135 4 4 "-" "curl/7.73.0-DEV" "84961386-6d84-929d-98bd-c5aee93b5c88" "httpbin:8000" "10.44.1.27:80" outbound|8000||httpbin.foo.svc.cluster.local 10.44.1.23:37652 10.0.45.184:8000 10.44.1.23:46520 - default',
    ],
    wanted: {
      client: '10.44.1.23',
      at: '2020-11-25T21:26:18.409Z',
      seconds: 0.004,
      request: 'GET /status/418',
      status: 418,
    },
  },
  {
    server: 'Envoy JSON',
    source: 'envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage (JSON)',
    format: 'envoy-json',
    lines: [
      '{"start_time":"2016-04-15T20:17:00.310Z","method":"POST","path":"/api/v1/locations","protocol":"HTTP/2","response_code":204,"response_flags":"-","bytes_received":154,"bytes_sent":0,"duration":226,"x_forwarded_for":"10.0.35.28","user_agent":"nsq2http","authority":"locations","upstream_host":"10.0.2.1:80"}',
    ],
    wanted: {
      client: '10.0.35.28',
      at: '2016-04-15T20:17:00.310Z',
      seconds: 0.226,
      request: 'POST /api/v1/locations',
      status: 204,
    },
  },
  {
    server: 'AWS Application Load Balancer',
    source: 'docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html',
    format: 'aws-alb',
    lines: [
      'https 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/ HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.example.com" "arn:aws:acm:us-east-2:123456789012:certificate/12345678-1234-1234-1234-123456789012" 1 2018-07-02T22:22:48.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-" TID_1234abcd5678ef90',
    ],
    wanted: {
      client: '192.168.131.39',
      at: '2018-07-02T22:23:00.015641Z',
      seconds: 0.171,
      request: 'GET /',
      status: 200,
    },
  },
  {
    server: 'AWS Classic Load Balancer',
    source: 'docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html',
    format: 'aws-elb',
    lines: [
      '2015-05-13T23:39:43.945958Z my-loadbalancer 192.168.131.39:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.38.0" - -',
    ],
    wanted: {
      client: '192.168.131.39',
      at: '2015-05-13T23:39:43.944780Z',
      seconds: 0.001178,
      request: 'GET /',
      status: 200,
    },
  },
  {
    server: 'Amazon CloudFront',
    source: 'docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html',
    format: 'cloudfront',
    lines: [
      '#Version: 1.0',
      '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end',
      tabs(
        '2019-12-04 21:02:31 LAX1 392 192.0.2.100 GET d111111abcdef8.cloudfront.net /index.html 200 - Mozilla/5.0%20(Windows%20NT%2010.0;%20Win64;%20x64) - - Hit SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ== d111111abcdef8.cloudfront.net https 23 0.001 - TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 Hit HTTP/2.0 - - 11040 0.001 Hit text/html 78 - -',
      ),
    ],
    wanted: {
      client: '192.0.2.100',
      at: '2019-12-04T21:02:30.999Z',
      seconds: 0.001,
      request: 'GET /index.html',
      status: 200,
    },
  },
  {
    server: 'Amazon S3',
    source: 'docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html',
    format: 'aws-s3',
    lines: [
      '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be amzn-s3-demo-bucket1 [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be 3E57427F3EXAMPLE REST.GET.VERSIONING - "GET /amzn-s3-demo-bucket1?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader amzn-s3-demo-bucket1.s3.us-west-1.amazonaws.com TLSV1.2 arn:aws:s3:us-west-1:123456789012:accesspoint/example-AP Yes',
    ],
    wanted: {
      client: '192.0.2.3',
      at: '2019-02-06T00:00:38Z',
      seconds: 0.007,
      request: 'GET /amzn-s3-demo-bucket1?versioning',
      status: 200,
    },
  },
  {
    server: 'IIS (W3C extended)',
    source: 'learn.microsoft.com/en-us/windows/win32/http/w3c-logging',
    format: 'w3c',
    lines: [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Version: 1.0',
      '#Date: 2002-05-02 17:42:15',
      '#Fields: date time c-ip cs-username s-ip s-port cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent) time-taken',
      '2002-05-02 17:42:15 172.22.255.255 - 172.30.255.255 80 GET /images/picture.jpg - 200 Mozilla/4.0+(compatible;MSIE+5.5;+Windows+2000+Server) 250',
    ],
    wanted: {
      client: '172.22.255.255',
      at: '2002-05-02T17:42:14.75Z',
      seconds: 0.25,
      request: 'GET /images/picture.jpg',
      status: 200,
    },
  },
  {
    server: 'Squid native',
    source: 'wiki.squid-cache.org/Features/LogFormat',
    format: 'squid',
    lines: [
      '1286536309.450    769 192.168.0.68 TCP_MISS/200 15117 GET http://www.example.com/index.html - DIRECT/192.0.2.80 text/html',
    ],
    wanted: {
      client: '192.168.0.68',
      at: '2010-10-08T11:11:48.681Z',
      seconds: 0.769,
      request: 'GET /index.html',
      status: 200,
    },
  },
  {
    server: 'Varnish (varnishncsa)',
    source: 'varnish-cache.org/docs/trunk/reference/varnishncsa.html',
    given: 'varnish',
    format: 'varnish',
    lines: [
      '192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET http://www.example.com/x HTTP/1.1" 200 512 "-" "curl/8"',
    ],
    wanted: { client: '192.0.2.1', at: '2000-10-10T20:55:36Z', request: 'GET /x', status: 200 },
  },
  {
    server: 'lighttpd',
    source: 'redmine.lighttpd.net/projects/lighttpd/wiki/Mod_accesslog',
    given: 'lighttpd',
    format: 'lighttpd',
    lines: [
      '192.0.2.1 www.example.com - [10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.1" 200 512 "-" "curl/8"',
    ],
    wanted: { client: '192.0.2.1', at: '2000-10-10T20:55:36Z', request: 'GET /x', status: 200 },
  },
  {
    server: 'gunicorn',
    source: 'docs.gunicorn.org/en/stable/settings.html#access-log-format',
    given: `%(h)s %(l)s %(u)s %(t)s "%(r)s" %(s)s %(b)s "%(f)s" "%(a)s" %(L)s`,
    format: 'gunicorn-custom',
    lines: ['192.0.2.1 - - [10/Oct/2000:13:55:37 -0700] "GET /x HTTP/1.1" 200 512 "-" "curl/8" 0.500000'],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'uvicorn, which says no time',
    source: 'www.uvicorn.org/settings/#logging',
    format: 'uvicorn',
    lines: ['INFO:     192.0.2.1:51234 - "GET /x HTTP/1.1" 200 OK'],
    wanted: { client: '192.0.2.1', at: '', request: 'GET /x', status: 200 },
  },
  {
    server: 'uWSGI',
    source: 'uwsgi-docs.readthedocs.io/en/latest/LogFormat.html',
    format: 'uwsgi',
    lines: [
      '[pid: 29433|app: 0|req: 1/1] 192.0.2.1 () {34 vars in 407 bytes} [Tue Oct 10 20:55:36 2000] GET /x => generated 512 bytes in 42 msecs (HTTP/1.1 200) 2 headers in 79 bytes (1 switches on core 0)',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36Z',
      seconds: 0.042,
      request: 'GET /x',
      status: 200,
    },
  },
  ...(
    [
      ['combined', 'combined', '::1 - - [10/Oct/2000:20:55:36 +0000] "GET /x HTTP/1.1" 200 512 "-" "curl/8"'],
      ['common', 'common', '::1 - - [10/Oct/2000:20:55:36 +0000] "GET /x HTTP/1.1" 200 512'],
    ] as const
  ).map(([preset, format, line]): Documented => ({
    server: `morgan ${preset}`,
    source: 'github.com/expressjs/morgan#predefined-formats',
    format,
    lines: [line],
    wanted: { client: '::1', at: '2000-10-10T20:55:36Z', request: 'GET /x', status: 200 },
  })),
  ...(
    [
      ['dev', '\u001b[0mGET /x \u001b[32m200\u001b[0m 42.000 ms - 512\u001b[0m', ''],
      ['short', '::1 - GET /x HTTP/1.1 200 512 - 42.000 ms', '::1'],
      ['tiny', 'GET /x 200 512 - 42.000 ms', ''],
    ] as const
  ).map(([preset, line, client]): Documented => ({
    server: `morgan ${preset}, which says no time`,
    source: 'github.com/expressjs/morgan#predefined-formats',
    format: 'morgan',
    lines: [line],
    wanted: { client, at: '', seconds: 0.042, request: 'GET /x', status: 200 },
  })),
  {
    server: 'morgan format string',
    source: 'github.com/expressjs/morgan#tokens',
    given: ':remote-addr [:date[clf]] ":method :url HTTP/:http-version" :status :total-time',
    format: 'morgan-custom',
    lines: ['::1 [10/Oct/2000:20:55:36 +0000] "GET /x HTTP/1.1" 200 500.000'],
    wanted: { client: '::1', at: '2000-10-10T20:55:35.5Z', seconds: 0.5, request: 'GET /x', status: 200 },
  },
  {
    server: 'LTSV',
    source: 'ltsv.org',
    format: 'ltsv',
    lines: [
      'host:127.0.0.1\tident:-\tuser:frank\ttime:[10/Oct/2000:13:55:36 -0700]\treq:GET /apache_pb.gif HTTP/1.0\tstatus:200\tsize:2326\treferer:http://www.example.com/start.html\tua:Mozilla/4.08 [en] (Win98; I ;Nav)',
    ],
    wanted: {
      client: '127.0.0.1',
      at: '2000-10-10T20:55:36Z',
      request: 'GET /apache_pb.gif',
      status: 200,
      user: 'frank',
    },
  },
  {
    server: 'Cloudflare Logpush',
    source: 'developers.cloudflare.com/logs/reference/log-fields/zone/http_requests',
    format: 'cloudflare',
    lines: [
      '{"ClientIP":"192.0.2.1","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestURI":"/x","EdgeEndTimestamp":"2000-10-10T20:55:37Z","EdgeResponseBytes":512,"EdgeResponseStatus":200,"EdgeStartTimestamp":"2000-10-10T20:55:36Z","RayID":"3a6050bcbe121a87"}',
    ],
    wanted: { client: '192.0.2.1', at: '2000-10-10T20:55:36Z', seconds: 1, request: 'GET /x', status: 200 },
  },
  {
    server: 'Google Cloud Load Balancing',
    source: 'cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#httprequest',
    format: 'gcp',
    lines: [
      '{"insertId":"1abc","httpRequest":{"requestMethod":"GET","requestUrl":"https://www.example.com/x","requestSize":"34","status":200,"responseSize":"512","userAgent":"curl/8","remoteIp":"192.0.2.1","latency":"0.042s","serverIp":"10.1.2.3"},"resource":{"type":"http_load_balancer"},"timestamp":"2000-10-10T20:55:36.250Z","severity":"INFO"}',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.250Z',
      seconds: 0.042,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'Azure Application Gateway',
    source: 'learn.microsoft.com/en-us/azure/application-gateway/application-gateway-diagnostics',
    format: 'azure',
    lines: [
      '{"resourceId":"/SUBSCRIPTIONS/X","operationName":"ApplicationGatewayAccess","time":"2000-10-10T20:55:37Z","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"appgw_2","clientIP":"192.0.2.1","clientPort":4507,"httpMethod":"GET","requestUri":"/x","requestQuery":"a=1","userAgent":"curl/8","httpStatus":200,"httpVersion":"HTTP/1.1","receivedBytes":184,"sentBytes":466,"timeTaken":0.5,"sslEnabled":"off"}}',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'Fastly JSON behind syslog',
    source: 'docs.fastly.com/en/guides/useful-variables-to-log',
    format: 'json',
    lines: [
      '<134>2000-10-10T20:55:37Z cache-lhr7331 s3logs[123]: {"timestamp":"2000-10-10T20:55:37+0000","client_ip":"192.0.2.1","request_method":"GET","url":"/x","response_status":200,"time_elapsed":500000,"request_user_agent":"curl/8"}',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
  {
    server: 'HAR',
    source: 'w3c.github.io/web-performance/specs/HAR/Overview.html',
    format: 'har',
    lines: [
      '{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"pages":[],"entries":[{"pageref":"page_0","startedDateTime":"2000-10-10T20:55:36.250Z","time":50,"request":{"method":"GET","url":"http://www.example.com/path/?param=value","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":150,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":33,"mimeType":"text/html"},"redirectURL":"","headersSize":160,"bodySize":850},"cache":{},"timings":{"send":20,"wait":20,"receive":10}}]}}',
    ],
    wanted: {
      client: '',
      at: '2000-10-10T20:55:36.250Z',
      seconds: 0.05,
      request: 'GET /path/?param=value',
      status: 200,
    },
  },
  {
    server: 'Rails lograge in JSON',
    source: 'github.com/roidrage/lograge',
    format: 'json',
    lines: [
      '{"method":"GET","path":"/x","format":"html","controller":"HomeController","action":"show","status":200,"duration":500.0,"view":40.1,"db":2.2,"@timestamp":"2000-10-10T20:55:37.000Z","remote_ip":"192.0.2.1"}',
    ],
    wanted: {
      client: '192.0.2.1',
      at: '2000-10-10T20:55:36.5Z',
      seconds: 0.5,
      request: 'GET /x',
      status: 200,
    },
  },
];

const CLIENT_UNKNOWN = new Set(['', '-']);

for (const { server, source, given, format, lines, wanted } of DOCUMENTED)
  test(`${server}: a line as its documentation has it (${source})`, async () => {
    const table = await readLog([logText(`${lines.join('\n')}\n`)], {
      ...(given !== undefined && { format: given }),
    });
    assert.equal(table.format, format);
    assert.equal(table.lines.ok, 1, JSON.stringify(table.lineExamples));
    const client = table.clients.at(table.clientIds[0]!)!;
    const seconds = table.responseTimeSeconds[0]!;
    assert.deepEqual(
      {
        client: CLIENT_UNKNOWN.has(client) ? '' : client,
        request: `${table.methods.at(table.methodIds[0]!)} ${table.targets.at(table.targetIds[0]!)}`,
        status: table.status[0],
        user: table.userIds === undefined ? undefined : table.users!.at(table.userIds[0]!),
        seconds: Number.isNaN(seconds) ? undefined : Number(seconds.toFixed(9)),
      },
      {
        client: wanted.client,
        request: wanted.request,
        status: wanted.status,
        user: wanted.user,
        seconds: wanted.seconds,
      },
    );
    if (wanted.at === '') assert.ok(Number.isNaN(table.atSeconds[0]));
    else assert.ok(Math.abs(table.atSeconds[0]! - instantOf(wanted.at)) < 1e-6, `${table.atSeconds[0]}`);
  });

/** To the microsecond, which `Date.parse` cuts. */
function instantOf(text: string): number {
  const [whole = '', decimals = '0'] = text.replace('Z', '').split('.');
  return Date.parse(`${whole}Z`) / 1e3 + Number(`0.${decimals}`);
}
