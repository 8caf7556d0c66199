const START_IT = "start the service first, or let --start 'COMMAND' start it for every run";

/** What to do where a service does not answer, by the code or the words of the failure. */
export function unreachableHint(reason: string, { asksHttp2 = false } = {}): string {
  if (/CERT|SIGNED|VERIFY|ISSUER/.test(reason)) return 'trust its authority with --cacert, or --insecure';
  // What OpenSSL says of an answer that is no TLS record.
  if (/wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long/i.test(reason))
    return 'the port speaks no TLS: write http:// where it is plain HTTP';
  if (/^(malformed-response|http2-|ERR_HTTP2|connection-closed)/.test(reason) && asksHttp2)
    return 'the port may speak HTTP/1.1 only: leave --http 2 out, and see that the url has the right scheme';
  if (reason.startsWith('malformed-response'))
    return 'see that the url has the right scheme (https:// where the port speaks TLS), and whether it wants --http 2';
  return START_IT;
}
