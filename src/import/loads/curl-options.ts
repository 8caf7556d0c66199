/** What a curl option does to the request; options that say only how it travels, or what is printed, are `ignored`. */
export type CurlOption =
  | 'method'
  | 'header'
  | 'data'
  | 'dataRaw'
  | 'dataBinary'
  | 'dataUrlencode'
  | 'json'
  | 'form'
  | 'formString'
  | 'user'
  | 'bearer'
  | 'get'
  | 'head'
  | 'url'
  | 'urlQuery'
  | 'cookie'
  | 'cookieJar'
  | 'userAgent'
  | 'referer'
  | 'upload'
  | 'next'
  | 'notTaken'
  | 'ignored';

interface Known {
  readonly option: CurlOption;
  readonly takesValue: boolean;
}

const flag = (option: CurlOption): Known => ({ option, takesValue: false });
const value = (option: CurlOption): Known => ({ option, takesValue: true });

/** Options of curl 8 by their long names (curl(1)). `notTaken` changes what is sent in a way that is not taken over. */
const LONG: Readonly<Record<string, Known>> = {
  request: value('method'),
  header: value('header'),
  data: value('data'),
  'data-ascii': value('data'),
  'data-raw': value('dataRaw'),
  'data-binary': value('dataBinary'),
  'data-urlencode': value('dataUrlencode'),
  json: value('json'),
  form: value('form'),
  'form-string': value('formString'),
  user: value('user'),
  'oauth2-bearer': value('bearer'),
  get: flag('get'),
  head: flag('head'),
  url: value('url'),
  'url-query': value('urlQuery'),
  cookie: value('cookie'),
  'cookie-jar': value('cookieJar'),
  'user-agent': value('userAgent'),
  referer: value('referer'),
  'upload-file': value('upload'),
  next: flag('next'),
  config: value('notTaken'),
  digest: flag('notTaken'),
  ntlm: flag('notTaken'),
  negotiate: flag('notTaken'),
  anyauth: flag('notTaken'),
  'aws-sigv4': value('notTaken'),
  range: value('notTaken'),
  'request-target': value('notTaken'),
  location: flag('notTaken'),
  'location-trusted': flag('notTaken'),
  proxy: value('notTaken'),
};

/** Long options that take a value and change nothing about the request. */
const IGNORED_WITH_VALUE =
  `output write-out max-time connect-timeout retry retry-delay retry-max-time cacert capath cert cert-type key key-type pass
   ciphers tls-max resolve connect-to interface limit-rate speed-limit speed-time max-redirs dump-header stderr trace
   trace-ascii output-dir noproxy proxy-user proxy-header unix-socket abstract-unix-socket local-port dns-servers
   keepalive-time max-filesize variable rate parallel-max continue-at netrc-file create-file-mode`.split(
    /\s+/,
  );

const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  G: 'get',
  I: 'head',
  b: 'cookie',
  c: 'cookie-jar',
  A: 'user-agent',
  e: 'referer',
  T: 'upload-file',
  ':': 'next',
  K: 'config',
  r: 'range',
  L: 'location',
  x: 'proxy',
  o: 'output',
  w: 'write-out',
  m: 'max-time',
  E: 'cert',
  D: 'dump-header',
  Y: 'speed-limit',
  y: 'speed-time',
  U: 'proxy-user',
  C: 'continue-at',
  t: 'telnet-option',
  Q: 'quote',
  z: 'time-cond',
  P: 'ftp-port',
};

/** Short options without a value that change nothing about the request. */
const SHORT_IGNORED = new Set('#0123456aBfgiJjklMnNOpqRsSvVZ'.split(''));

/** A long option; undefined where curl has none that we know. `--no-` switches off and changes nothing here. */
export function longOption(name: string): Known | undefined {
  if (Object.hasOwn(LONG, name)) return LONG[name];
  if (IGNORED_WITH_VALUE.includes(name)) return value('ignored');
  return /^(?:no-.*|compressed|compressed-ssh|silent|show-error|insecure|verbose|include|fail|fail-with-body|fail-early|http[\d.]+|http2-prior-knowledge|tlsv[\d.]+|ipv[46]|globoff|path-as-is|tcp-nodelay|tcp-fastopen|keepalive|parallel|progress-bar|progress-meter|create-dirs|remote-name|remote-name-all|netrc|netrc-optional|basic|tr-encoding|raw|styled-output|buffer|post30[123]|disable|ssl|sslv[23]|junk-session-cookies|location-mode|trace-time|trace-ids|http0\.9)$/.test(
    name,
  )
    ? flag('ignored')
    : undefined;
}

/** A short option by its letter. */
export function shortOption(letter: string): Known | undefined {
  if (SHORT_IGNORED.has(letter)) return flag('ignored');
  const name = Object.hasOwn(SHORT, letter) ? SHORT[letter]! : undefined;
  if (name === undefined) return undefined;
  return longOption(name) ?? value('notTaken');
}
