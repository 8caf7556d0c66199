import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';

/** One request as the service saw it. */
export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const KEY = 'secret';

/** A small shop on loopback that remembers what it was asked: login, books, orders, GraphQL, upload, events, signatures. */
export async function startShop(
  t: TestContext,
): Promise<{ readonly url: string; readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      const one = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      seen.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function answer({ line, headers, body }: SeenRequest, response: ServerResponse): void {
  const json = (value: unknown, status = 200, more: Record<string, string> = {}): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...more });
    response.end(JSON.stringify(value));
  };
  const [method, target = ''] = line.split(' ');
  const path = target.split('?')[0]!;
  const book = /^\/books\/(\d+)$/.exec(path)?.[1];
  const isKnown = headers.authorization === 'Bearer t-1' && headers.cookie?.includes('sid=s-1') === true;
  if (line === 'POST /login') json({ token: 't-1' }, 200, { 'Set-Cookie': 'sid=s-1; Path=/; HttpOnly' });
  else if (book !== undefined) json({ id: Number(book), title: `Book ${book}` });
  else if (path === '/books') zipped(response, { items: [{ id: 7 }, { id: 8 }] });
  else if (line === 'POST /orders')
    json(isKnown ? { id: 42, ...(JSON.parse(body) as object) } : {}, isKnown ? 201 : 401);
  else if (method === 'GET' && path === '/orders/42') json({ state: 'paid' }, isKnown ? 200 : 401);
  else if (line === 'POST /graphql')
    json({ data: { book: (JSON.parse(body) as { variables: object }).variables } });
  else if (line === 'POST /upload')
    json({ octets: body.length, hasFile: body.includes('filename="cover.png"') }, 201);
  else if (path === '/events') streamEvents(response);
  else if (path === '/signed') json({}, headers['x-signature'] === signature(line, body) ? 200 : 403);
  else json({}, 404);
}

function zipped(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
  response.end(gzipSync(JSON.stringify(value)));
}

/** Three events, some milliseconds apart, then the end. */
function streamEvents(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let count = 0;
  const next = (): void => {
    count += 1;
    response.write(`id: ${count}\nevent: tick\ndata: {"n":${count}}\n\n`);
    if (count === 3) response.end();
    else setTimeout(next, 5);
  };
  next();
}

const signature = (line: string, body: string): string =>
  createHmac('sha256', KEY).update(`${line}\n${body}`, 'latin1').digest('hex');
