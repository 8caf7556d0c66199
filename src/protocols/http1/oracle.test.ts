import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { ANSWER_CASES, type AnswerCase } from '../../../test/support/http1-answers.ts';

/** Where Node reads what we refuse, or the other way round, and why that is meant. */
const MEANT_DIFFERENCES: Readonly<Record<string, string>> = {
  'fields of a 1xx do not frame the answer':
    'RFC 9110 §15.2: an interim answer says nothing about the final one',
  'a status line "HTTP/2.0 200 OK"': 'framing by RFC 9112 is defined for HTTP/1.0 and 1.1 alone',
  'a status line "HTTP/0.9 200 OK"': 'framing by RFC 9112 is defined for HTTP/1.0 and 1.1 alone',
  [`a status line ${JSON.stringify('HTTP/1.1 200 O\0K')}`]:
    'RFC 9112 §4: a reason phrase holds no control character',
  [`a status line ${JSON.stringify('\r\nHTTP/1.1 200 OK')}`]:
    'only servers skip an empty line (RFC 9112 §2.2); here it is surplus of an earlier answer',
  'more than a hundred interim answers':
    'a service that sends them without end would never meet the limit of a head',
  'trailers named like framing frame nothing':
    'RFC 9110 §6.5.1: such a field in a trailer is to be ignored, the answer has ended by its chunks',
  'chunked twice': 'RFC 9112 §6.1 forbids it, and readers disagree about where such a body ends',
  'a second answer': 'Node drops surplus without a word; in a load test it shows a broken service',
  'bytes after the last chunk': 'Node drops surplus without a word; in a load test it shows a broken service',
};

type Reading = { readonly status: number; readonly bodyBytes: number } | 'refused';

/** How Node's own client (llhttp) reads an answer. */
function readByNode(port: number, index: number, method: string): Promise<Reading> {
  return new Promise((resolve) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const finish = (reading: Reading): void => {
      agent.destroy();
      resolve(reading);
    };
    const outgoing = request(
      { port, method, path: `/${index}`, agent, maxHeaderSize: 64 * 1024 },
      (incoming) => {
        let bodyBytes = 0;
        incoming.on('data', (data: Buffer) => (bodyBytes += data.length));
        incoming.on('error', () => finish('refused'));
        incoming.on('end', () => {
          if (incoming.complete) finish({ status: incoming.statusCode!, bodyBytes });
        });
      },
    );
    outgoing.on('error', () => finish('refused'));
    outgoing.on('upgrade', () => finish('refused'));
    outgoing.end();
  });
}

const ours = ({ expected }: AnswerCase): Reading =>
  typeof expected === 'string' ? 'refused' : { status: expected.status, bodyBytes: expected.bodyBytes };

test("Node's own client reads every answer alike, but for the differences that are meant", async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const index = Number(/\/(\d+) /.exec(data.toString('latin1'))![1]);
      socket.end(Buffer.from(ANSWER_CASES[index]!.answer, 'latin1'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const [index, sample] of ANSWER_CASES.entries()) {
    const theirs = await readByNode(port, index, sample.method ?? 'GET');
    const reason = MEANT_DIFFERENCES[sample.title];
    if (reason === undefined) assert.deepEqual(theirs, ours(sample), sample.title);
    else assert.notDeepEqual(theirs, ours(sample), `${sample.title} no longer differs: ${reason}`);
  }
});
