import { QUOTE, SPACE, bytesOf, latin1Of } from './bytes.ts';

/** A line inside another: the range of its bytes. */
export interface InnerLine {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** What stands around every line of a file and is no part of it: what a collector of logs has added. */
export class LineWrapper {
  readonly name: string;
  readonly #cut: Cut;

  constructor(name: string, cut: Cut) {
    this.name = name;
    this.#cut = cut;
  }

  /** The line within; a line that is not wrapped is that line itself. */
  unwrap(bytes: Uint8Array, start: number, end: number): InnerLine {
    return this.#cut(bytes, start, end) ?? { bytes, start, end };
  }

  unwrapped(line: Uint8Array): Uint8Array {
    const { bytes, start, end } = this.unwrap(line, 0, line.length);
    return bytes.slice(start, end);
  }
}

type Cut = (bytes: Uint8Array, start: number, end: number) => InnerLine | undefined;

const CRI_PREFIX = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d) std(?:out|err) [FP] /;
/** The prefixes, longest first where one begins as another. They are matched on the first bytes of a line. */
const PREFIXES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['cri', CRI_PREFIX],
  ['syslog-5424', /^(?:<\d{1,3}>)1 \S+ \S+ \S+ \S+ \S+ (?:-|\[[^\]]*\]) (?:\xef\xbb\xbf)?/],
  ['syslog', /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:\S+ )?[^\s[\]:"]+(?:\[\d+\])?: /],
  ['syslog-json', /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d) \S+ [^{"]{0,80}(?=\{)/],
  ['docker-compose', /^[\w.-]+ +\| /],
];
const LONGEST_PREFIX = 256;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const DOCKER = /^\{"log":"((?:[^"\\]|\\.)*)","stream":"std/;

const cutPrefix =
  (pattern: RegExp): Cut =>
  (bytes, start, end) => {
    const head = latin1Of(bytes.subarray(start, Math.min(end, start + LONGEST_PREFIX)));
    const match = pattern.exec(head);
    return match === null ? undefined : { bytes, start: start + match[0].length, end };
  };

/** `{"log":"…\n","stream":"stdout",…}` as Docker's json-file driver writes it: the text is a JSON string. */
const cutDocker: Cut = (bytes, start, end) => {
  const match = DOCKER.exec(latin1Of(bytes.subarray(start, end)));
  if (match === null) return undefined;
  const text = match[1]!.replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, hex: string | undefined, char: string) =>
    hex === undefined ? (ESCAPES[char] ?? char) : bytesText(String.fromCharCode(Number.parseInt(hex, 16))),
  );
  const line = Uint8Array.from(text.trimEnd(), (char) => char.charCodeAt(0));
  return { bytes: line, start: 0, end: line.length };
};

/** A character as its UTF-8 bytes, a character a byte. */
const bytesText = (char: string): string => latin1Of(bytesOf(char));

/** Writers whose lines say no time: where a collector noted one, it is taken as the line's first word. */
const TIMELESS = /^INFO: +\S+ - "/;
const DOCKER_TIME = /"time":"([^"\\]+)"\}?\s*$/;

const cutCri = cutPrefix(CRI_PREFIX);

const cutCriStamped: Cut = (bytes, start, end) => {
  const inner = cutCri(bytes, start, end);
  return inner && joined(latin1Of(bytes.subarray(start, bytes.indexOf(SPACE, start))), inner);
};

const cutDockerStamped: Cut = (bytes, start, end) => {
  const inner = cutDocker(bytes, start, end);
  const time = DOCKER_TIME.exec(latin1Of(bytes.subarray(start, end)))?.[1];
  return inner === undefined || time === undefined ? inner : joined(time, inner);
};

function joined(time: string, { bytes, start, end }: InnerLine): InnerLine {
  const line = Uint8Array.from([...bytesOf(`${time} `), ...bytes.subarray(start, end)]);
  return { bytes: line, start: 0, end: line.length };
}

const STAMPED: Readonly<Record<string, LineWrapper>> = {
  cri: new LineWrapper('cri', cutCriStamped),
  'docker-json': new LineWrapper('docker-json', cutDockerStamped),
};

const cutQuotes: Cut = (bytes, start, end) =>
  end - start > 1 && bytes[start] === QUOTE && bytes[end - 1] === QUOTE && bytes[start + 1] !== SPACE
    ? { bytes, start: start + 1, end: end - 1 }
    : undefined;

const WRAPPERS: readonly LineWrapper[] = [
  ...PREFIXES.map(([name, pattern]) => new LineWrapper(name, cutPrefix(pattern))),
  new LineWrapper('docker-json', cutDocker),
  new LineWrapper('quotes', cutQuotes),
];

/** The wrapper that most of these lines stand in; undefined where most stand alone. */
export function wrapperOf(lines: readonly Uint8Array[]): LineWrapper | undefined {
  const isWrapped = (wrapper: LineWrapper, line: Uint8Array): boolean =>
    wrapper.unwrap(line, 0, line.length).end - wrapper.unwrap(line, 0, line.length).start < line.length;
  const found = WRAPPERS.find(
    (wrapper) => lines.filter((line) => isWrapped(wrapper, line)).length * 2 > lines.length,
  );
  if (found === undefined) return undefined;
  const stamped = STAMPED[found.name];
  if (stamped === undefined) return found;
  const isTimeless = (line: Uint8Array): boolean =>
    TIMELESS.test(latin1Of(found.unwrapped(line).subarray(0, LONGEST_PREFIX)));
  return lines.some(isTimeless) ? stamped : found;
}
