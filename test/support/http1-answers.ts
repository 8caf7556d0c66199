import type { Fault } from '../../src/protocols/http1/bytes.ts';

/** What an answer of these octets, followed by the end of the connection, must be read as. */
export interface AnswerCase {
  readonly title: string;
  /** Octets as latin1 text. */
  readonly answer: string;
  readonly method?: 'HEAD';
  /** `cut short`: the connection ended before the answer did. */
  readonly expected:
    | { readonly status: number; readonly bodyBytes: number; readonly keepAlive: boolean }
    | Fault
    | 'cut short';
}

const kept = (status: number, bodyBytes: number) => ({ status, bodyBytes, keepAlive: true });
const closed = (status: number, bodyBytes: number) => ({ status, bodyBytes, keepAlive: false });
const lines = (...texts: string[]): string => texts.map((text) => `${text}\r\n`).join('');
const headed = (...fields: string[]): string => lines('HTTP/1.1 200 OK', ...fields, '');
const chunked = (body: string): string => headed('Transfer-Encoding: chunked') + body;

const WELL_FORMED: readonly AnswerCase[] = [
  {
    title: 'a body by Content-Length',
    answer: `${headed('Content-Length: 5')}hello`,
    expected: kept(200, 5),
  },
  { title: 'an empty body by Content-Length', answer: headed('Content-Length: 0'), expected: kept(200, 0) },
  { title: 'header names in any case', answer: `${headed('cONTENT-lENGTH:5')}hello`, expected: kept(200, 5) },
  {
    title: 'blanks around a length',
    answer: `${headed('Content-Length: \t 5  ')}hello`,
    expected: kept(200, 5),
  },
  {
    title: 'leading zeros in a length',
    answer: `${headed('Content-Length: 005')}hello`,
    expected: kept(200, 5),
  },
  {
    title: 'no reason phrase',
    answer: lines('HTTP/1.1 200', 'Content-Length: 0', ''),
    expected: kept(200, 0),
  },
  {
    title: 'an empty reason phrase',
    answer: lines('HTTP/1.1 200 ', 'Content-Length: 0', ''),
    expected: kept(200, 0),
  },
  {
    title: 'a reason phrase in UTF-8',
    answer: lines('HTTP/1.1 500 d\xc3\xa9faut', 'Content-Length: 0', ''),
    expected: kept(500, 0),
  },
  {
    title: 'a status outside the registry',
    answer: lines('HTTP/1.1 999 Odd', 'Content-Length: 0', ''),
    expected: kept(999, 0),
  },
  {
    title: 'an empty field value',
    answer: `${headed('X-Empty:', 'X-Blank: ', 'Content-Length: 1')}x`,
    expected: kept(200, 1),
  },
  {
    title: 'a field value with obs-text',
    answer: `${headed('X-Name: \xe9\xff', 'Content-Length: 1')}x`,
    expected: kept(200, 1),
  },
  {
    title: 'field names longer than any that matter',
    answer: `${headed(`${'x'.repeat(300)}: 1`, 'Content-Length: 1')}x`,
    expected: kept(200, 1),
  },
  {
    title: 'field names that begin like the ones that matter',
    answer: `${headed('Content-Lengths: 9', 'Connections: close', 'Content-Lengt: 9', 'Content-Length: 1')}x`,
    expected: kept(200, 1),
  },
  { title: '204 without a body', answer: lines('HTTP/1.1 204 No Content', ''), expected: kept(204, 0) },
  {
    title: '304 with the length of what was not sent',
    answer: lines('HTTP/1.1 304 Not Modified', 'Content-Length: 5', ''),
    expected: kept(304, 0),
  },
  {
    title: 'HEAD with the length of what was not sent',
    method: 'HEAD',
    answer: headed('Content-Length: 5'),
    expected: kept(200, 0),
  },
  {
    title: 'HEAD with chunked and no chunks',
    method: 'HEAD',
    answer: headed('Transfer-Encoding: chunked'),
    expected: kept(200, 0),
  },
  { title: 'HEAD without framing', method: 'HEAD', answer: headed(), expected: kept(200, 0) },
  {
    title: 'a body up to the end of the connection',
    answer: `${headed('Server: x')}to the end`,
    expected: closed(200, 10),
  },
  { title: 'an empty body up to the end of the connection', answer: headed(), expected: closed(200, 0) },
  {
    title: 'Connection: close',
    answer: `${headed('Connection: close', 'Content-Length: 2')}ok`,
    expected: closed(200, 2),
  },
  {
    title: 'close first in a list',
    answer: `${headed('Connection: Close, x-hop', 'Content-Length: 2')}ok`,
    expected: closed(200, 2),
  },
  {
    title: 'close last in a list',
    answer: `${headed('Connection: keep-alive ,\tx-hop ,, CLOSE ', 'Content-Length: 2')}ok`,
    expected: closed(200, 2),
  },
  {
    title: 'close in a second Connection field',
    answer: `${headed('Connection: x-hop', 'Connection: close', 'Content-Length: 2')}ok`,
    expected: closed(200, 2),
  },
  {
    title: 'options that only contain close',
    answer: `${headed('Connection: closed, not close, x-close', 'Content-Length: 2')}ok`,
    expected: kept(200, 2),
  },
  {
    title: 'HTTP/1.0',
    answer: `${lines('HTTP/1.0 200 OK', 'Content-Length: 2', '')}ok`,
    expected: closed(200, 2),
  },
  {
    title: 'HTTP/1.0 with keep-alive',
    answer: `${lines('HTTP/1.0 200 OK', 'Connection: Keep-Alive', 'Content-Length: 2', '')}ok`,
    expected: kept(200, 2),
  },
  {
    title: 'HTTP/1.0 with keep-alive and no length',
    answer: `${lines('HTTP/1.0 200 OK', 'Connection: keep-alive', '')}ok`,
    expected: closed(200, 2),
  },
  {
    title: '100 before the answer',
    answer: `${lines('HTTP/1.1 100 Continue', '')}${headed('Content-Length: 2')}ok`,
    expected: kept(200, 2),
  },
  {
    title: 'several 1xx with fields before the answer',
    answer: `${lines('HTTP/1.1 103 Early Hints', 'Link: </a.css>', '', 'HTTP/1.1 102 Processing', '')}${headed('Content-Length: 2')}ok`,
    expected: kept(200, 2),
  },
  {
    title: 'a hundred interim answers before the answer',
    answer: `${lines('HTTP/1.1 102 Processing', '').repeat(100)}${headed('Content-Length: 2')}ok`,
    expected: kept(200, 2),
  },
  {
    title: 'a 1xx before 204, and no octet of a body',
    answer: lines('HTTP/1.1 103 Early Hints', '', 'HTTP/1.1 204 No Content', ''),
    expected: kept(204, 0),
  },
  {
    title: 'a 1xx before the answer to HEAD',
    method: 'HEAD',
    answer: `${lines('HTTP/1.1 103 Early Hints', '')}${headed('Content-Length: 9')}`,
    expected: kept(200, 0),
  },
  {
    title: 'chunked on 304 frames nothing',
    answer: lines('HTTP/1.1 304 Not Modified', 'Transfer-Encoding: chunked', ''),
    expected: kept(304, 0),
  },
  {
    title: 'trailers named like framing frame nothing',
    answer: chunked('2\r\nok\r\n0\r\nContent-Length: 9\r\nConnection: close\r\nLocation: /x\r\n\r\n'),
    expected: kept(200, 2),
  },
  {
    title: 'fields of a 1xx do not frame the answer',
    answer: `${lines('HTTP/1.1 103 Early Hints', 'Connection: close', 'Content-Length: 9', '')}${headed('Content-Length: 2')}ok`,
    expected: kept(200, 2),
  },
  { title: 'chunks', answer: chunked('5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n'), expected: kept(200, 6) },
  { title: 'no chunk but the last', answer: chunked('0\r\n\r\n'), expected: kept(200, 0) },
  {
    title: 'chunk sizes in hexadecimal of both cases, with zeros',
    answer: chunked(`000A\r\n${'x'.repeat(10)}\r\nb\r\n${'y'.repeat(11)}\r\n000\r\n\r\n`),
    expected: kept(200, 21),
  },
  {
    title: 'chunk data that looks like framing',
    answer: chunked('7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n'),
    expected: kept(200, 7),
  },
  {
    title: 'chunk extensions',
    answer: chunked('5;a=1;b="q\\" \t;x"\r\nhello\r\n0;last\r\n\r\n'),
    expected: kept(200, 5),
  },
  {
    title: 'trailers',
    answer: chunked('2\r\nok\r\n0\r\nX-Sum: 1\r\nServer-Timing: a;dur=1\r\n\r\n'),
    expected: kept(200, 2),
  },
  {
    title: 'chunked in any case with blanks',
    answer: `${headed('TRANSFER-ENCODING:  Chunked ')}2\r\nok\r\n0\r\n\r\n`,
    expected: kept(200, 2),
  },
  {
    title: 'chunked last in a list',
    answer: `${headed('Transfer-Encoding: gzip, chunked')}2\r\nok\r\n0\r\n\r\n`,
    expected: kept(200, 2),
  },
  {
    title: 'chunked in a second field',
    answer: `${headed('Transfer-Encoding: gzip', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`,
    expected: kept(200, 2),
  },
  {
    title: 'another coding than chunked ends with the connection',
    answer: `${headed('Transfer-Encoding: gzip')}xyz`,
    expected: closed(200, 3),
  },
  {
    title: 'chunked under another coding ends with the connection',
    answer: `${headed('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`,
    expected: closed(200, 5),
  },
  {
    title: 'a coding that only begins like chunked',
    answer: `${headed('Transfer-Encoding: chunkedy')}xyz`,
    expected: closed(200, 3),
  },
  {
    title: 'chunked with Connection: close',
    answer: `${headed('Connection: close', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`,
    expected: closed(200, 2),
  },
];

const MALFORMED: readonly AnswerCase[] = [
  ...[
    '',
    'HTTP/1.1 200 O',
    'HTTP/1.1 200 OK\r\nContent-Le',
    lines('HTTP/1.1 200 OK', 'A: b'),
    `${headed('Content-Length: 5')}hell`,
    chunked('5\r\nhello\r\n'),
    chunked('5\r\nhel'),
    chunked('0\r\n'),
    chunked('0\r\nX: y\r\n'),
    lines('HTTP/1.1 100 Continue', ''),
  ].map((answer): AnswerCase => ({
    title: `an answer cut short: ${JSON.stringify(answer.slice(-24))}`,
    answer,
    expected: 'cut short',
  })),
  ...[
    'SSH-2.0-OpenSSH',
    'HTTP/2.0 200 OK',
    'HTTP/1.2 200 OK',
    'HTTP/0.9 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 2x0 OK',
    'http/1.1 200 OK',
    ' HTTP/1.1 200 OK',
    'HTTP/1.1 200 O\0K',
    '\r\nHTTP/1.1 200 OK',
  ].map((line): AnswerCase => ({
    title: `a status line ${JSON.stringify(line)}`,
    answer: lines(line, 'Content-Length: 0', ''),
    expected: 'status line is no HTTP/1.x status line',
  })),
  {
    title: 'a status line that ends in a bare LF',
    answer: `HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n`,
    expected: 'status line is no HTTP/1.x status line',
  },
  {
    title: 'a status line with CR and no LF',
    answer: `HTTP/1.1 200 OK\rContent-Length: 0\r\n\r\n`,
    expected: 'line end is not CR LF',
  },
  {
    title: 'a field line that ends in a bare LF',
    answer: `HTTP/1.1 200 OK\r\nContent-Length: 0\nX: y\r\n\r\n`,
    expected: 'line end is not CR LF',
  },
  {
    title: 'a head that ends in a bare LF',
    answer: `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\n`,
    expected: 'line end is not CR LF',
  },
  {
    title: 'a field line with CR and no LF',
    answer: `HTTP/1.1 200 OK\r\nX: y\rContent-Length: 0\r\n\r\n`,
    expected: 'line end is not CR LF',
  },
  {
    title: 'a folded field',
    answer: headed('X-Long: a', ' b', 'Content-Length: 0'),
    expected: 'header line is folded',
  },
  {
    title: 'a folded length',
    answer: headed('Content-Length:', ' 0'),
    expected: 'Content-Length is no number',
  },
  {
    title: 'a blank before the first field',
    answer: headed(' X: y', 'Content-Length: 0'),
    expected: 'header line is folded',
  },
  ...['No colon', 'Name : value', ': value', 'Na(me: value', 'N\xe4me: value', 'X\0: y'].map(
    (field): AnswerCase => ({
      title: `a field line ${JSON.stringify(field)}`,
      answer: headed(field, 'Content-Length: 0'),
      expected: 'header name is no token',
    }),
  ),
  {
    title: 'a NUL in a field value',
    answer: headed('X: a\0b', 'Content-Length: 0'),
    expected: 'header value holds a control character',
  },
  {
    title: 'a DEL in a field value',
    answer: headed('X: a\x7fb', 'Content-Length: 0'),
    expected: 'header value holds a control character',
  },
  ...['', ' ', '-1', '+5', '5x', '0x5', '5, 5', '5 5', '1e3', '99999999999999999999'].map(
    (value): AnswerCase => ({
      title: `Content-Length ${JSON.stringify(value)}`,
      answer: `${headed(`Content-Length: ${value}`)}hello`,
      expected: 'Content-Length is no number',
    }),
  ),
  {
    title: 'two lengths that disagree',
    answer: `${headed('Content-Length: 5', 'Content-Length: 6')}hello!`,
    expected: 'Content-Length is given twice',
  },
  {
    title: 'two lengths that agree',
    answer: `${headed('Content-Length: 5', 'Content-Length: 5')}hello`,
    expected: 'Content-Length is given twice',
  },
  {
    title: 'a length before chunked',
    answer: `${headed('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    expected: 'Content-Length beside Transfer-Encoding',
  },
  {
    title: 'a length after chunked',
    answer: `${headed('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`,
    expected: 'Content-Length beside Transfer-Encoding',
  },
  {
    title: 'chunked twice',
    answer: `${headed('Transfer-Encoding: chunked, chunked')}0\r\n\r\n`,
    expected: 'chunked is applied twice',
  },
  ...[
    '\r\n',
    'x\r\n',
    '-1\r\n',
    '0x5\r\nhello\r\n',
    ' 5\r\nhello\r\n',
    '5 \r\nhello\r\n',
    'fffffffffffffffff\r\n',
  ].map((body): AnswerCase => ({
    title: `a chunk size ${JSON.stringify(body)}`,
    answer: chunked(`${body}0\r\n\r\n`),
    expected: 'chunk size is no hexadecimal number',
  })),
  {
    title: 'a chunk longer than its size',
    answer: chunked('5\r\nhello!\r\n0\r\n\r\n'),
    expected: 'chunk is longer than its size',
  },
  {
    title: 'a chunk ended by CR alone',
    answer: chunked('5\r\nhello\r0\r\n\r\n'),
    expected: 'line end is not CR LF',
  },
  {
    title: 'a chunk size ended by a bare LF',
    answer: chunked('5\nhello\r\n0\r\n\r\n'),
    expected: 'chunk size is no hexadecimal number',
  },
  {
    title: 'an extension ended by a bare LF',
    answer: chunked('5;a\nhello\r\n0\r\n\r\n'),
    expected: 'line end is not CR LF',
  },
  {
    title: 'a control character in an extension',
    answer: chunked('5;a\x01\r\nhello\r\n0\r\n\r\n'),
    expected: 'header value holds a control character',
  },
  {
    title: 'a trailer that is no field',
    answer: chunked('0\r\nno colon\r\n\r\n'),
    expected: 'header name is no token',
  },
  {
    title: 'a folded trailer',
    answer: chunked('0\r\nX: y\r\n z\r\n\r\n'),
    expected: 'header line is folded',
  },
  {
    title: '101 that nobody asked for',
    answer: lines('HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade', ''),
    expected: 'answer switches protocols unasked',
  },
  {
    title: 'more than a hundred interim answers',
    answer: `${lines('HTTP/1.1 102 Processing', '').repeat(101)}${headed('Content-Length: 2')}ok`,
    expected: 'more than 100 interim answers',
  },
  {
    title: 'a body longer than its length',
    answer: `${headed('Content-Length: 5')}hello!`,
    expected: 'bytes follow the answer',
  },
  {
    title: 'a body after 204',
    answer: `${lines('HTTP/1.1 204 No Content', 'Content-Length: 2', '')}ok`,
    expected: 'bytes follow the answer',
  },
  {
    title: 'a body after HEAD',
    method: 'HEAD',
    answer: `${headed('Content-Length: 2')}ok`,
    expected: 'bytes follow the answer',
  },
  {
    title: 'a second answer',
    answer: `${headed('Content-Length: 0')}${headed('Content-Length: 0')}`,
    expected: 'bytes follow the answer',
  },
  {
    title: 'bytes after the last chunk',
    answer: chunked('0\r\n\r\n\r\n'),
    expected: 'bytes follow the answer',
  },
  {
    title: 'a head beyond 64 KiB in many fields',
    answer: headed(...Array.from({ length: 3000 }, (_, i) => `X-Flood-${i}: ${'y'.repeat(12)}`)),
    expected: 'head is longer than 64 KiB',
  },
  {
    title: 'a head beyond 64 KiB in one field',
    answer: headed(`X-Flood: ${'y'.repeat(70_000)}`),
    expected: 'head is longer than 64 KiB',
  },
  {
    title: 'a trailer beyond 64 KiB',
    answer: chunked(`0\r\nX-Flood: ${'y'.repeat(70_000)}\r\n\r\n`),
    expected: 'head is longer than 64 KiB',
  },
  {
    title: 'an extension beyond 64 KiB',
    answer: chunked(`1;${'y'.repeat(70_000)}\r\nx\r\n0\r\n\r\n`),
    expected: 'head is longer than 64 KiB',
  },
];

/** Answers and what they are, from the grammar of RFC 9112 and the attacks on it. */
export const ANSWER_CASES: readonly AnswerCase[] = [...WELL_FORMED, ...MALFORMED];
