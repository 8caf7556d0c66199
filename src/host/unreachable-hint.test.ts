import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreachableHint } from './unreachable-hint.ts';

for (const [reason, asksHttp2, hint] of [
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false, /--cacert/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', false, /no TLS: write http:\/\//],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true, /no TLS/],
  ['write EPROTO 00:error:0A00010B:SSL routines::wrong version number:', false, /no TLS/],
  ['malformed-response: Protocol error', true, /HTTP\/1\.1 only: leave --http 2 out/],
  ['http2-not-offered', true, /leave --http 2 out/],
  ['malformed-response: no status line', false, /whether it wants --http 2/],
  ['ECONNREFUSED', true, /^start the service first/],
] as const) {
  test(`${reason}${asksHttp2 ? ' over HTTP/2' : ''}: ${hint.source}`, () => {
    assert.match(unreachableHint(reason, { asksHttp2 }), hint);
  });
}
