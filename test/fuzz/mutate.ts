import type { Random } from '../../src/stats/random.ts';

/** Pieces that parsers stumble over. */
const WORDS = [
  '\0',
  '\r\n',
  '\n\n',
  '\t',
  '"',
  '\\',
  '%',
  '%%',
  '{',
  '[',
  '}',
  ',',
  ';',
  ':',
  '-',
  '0',
  '-1',
  '1e999',
  '1e-400',
  'NaN',
  '9007199254740993',
  'null',
  '__proto__',
  'constructor',
  '\u001b[2J',
  '\u202e',
  '\ud800',
  '<script>',
  '=1+1',
  '\xff\xfe',
  'Content-Length: ',
  'Transfer-Encoding: chunked\r\n',
  'HTTP/1.1 200 OK\r\n',
  '\r\n\r\n',
  'ffffffffffffffff\r\n',
  'GET / HTTP/1.1',
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;

/** A sample changed in one to eight places: bytes flipped, cut, doubled, spliced with another sample, words put in. */
export function mutate(random: Random, samples: readonly Buffer[]): Buffer {
  let bytes = Buffer.from(pick(random, samples));
  const changes = 1 + Math.floor(random.next() * 8);
  for (let i = 0; i < changes; i += 1) {
    const at = Math.floor(random.next() * (bytes.length + 1));
    const to = Math.min(bytes.length, at + Math.floor(random.next() ** 3 * 200));
    const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
    switch (Math.floor(random.next() * 6)) {
      case 0:
        if (at < bytes.length) bytes[at] = Math.floor(random.next() * 256);
        break;
      case 1:
        bytes = Buffer.concat([before, after]);
        break;
      case 2:
        bytes = Buffer.concat([before, middle, middle, after]);
        break;
      case 3:
        bytes = Buffer.concat([before, Buffer.from(pick(random, WORDS)), after]);
        break;
      case 4:
        bytes = Buffer.from(before);
        break;
      default: {
        const other = pick(random, samples);
        bytes = Buffer.concat([before, other.subarray(Math.floor(random.next() * other.length)), after]);
      }
    }
  }
  return bytes.subarray(0, 100_000);
}

const VALUES: readonly unknown[] = [
  null,
  '',
  'x',
  '__proto__',
  0,
  -1,
  1e308,
  -1e308,
  1e-320,
  2 ** 53,
  true,
  [],
  {},
  [null],
  [[1, 2]],
  { a: 1 },
  '\u001b[31m',
];

/** Data with one to four of its values, anywhere, replaced, removed or doubled. */
export function mutateData(random: Random, data: unknown): unknown {
  const copy: unknown = structuredClone(data);
  const changes = 1 + Math.floor(random.next() * 4);
  for (let i = 0; i < changes; i += 1) changeOne(random, copy);
  return copy;
}

function changeOne(random: Random, root: unknown): void {
  let holder = root as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(holder);
    if (keys.length === 0) return;
    const key = pick(random, keys);
    const value = holder[key];
    if (typeof value === 'object' && value !== null && random.next() < 0.8) {
      holder = value as Record<string, unknown>;
      continue;
    }
    if (random.next() < 0.25) delete holder[key];
    else
      holder[key] = random.next() < 0.2 ? holder[pick(random, keys)] : structuredClone(pick(random, VALUES));
    return;
  }
}
