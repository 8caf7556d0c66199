import { BACKSLASH, HASH, bytesOf } from './bytes.ts';
import { VERDICT, type LineFields, type LineParser } from './log-format.ts';
import { escapeText, unescapeText, type EscapeStyle } from './unescape.ts';

/** What all lines of one table must have in common. */
export interface Alignment {
  readonly escapes: EscapeStyle;
  readonly timestampMeaning: LineParser['timestampMeaning'];
}

/**
 * A parser whose lines go into a table of another one's: texts are escaped as that one escapes, and stamps are of the
 * event that it stamps, as far as a duration lies between.
 */
export function alignedParser(parser: LineParser, to: Alignment): LineParser {
  const movesStamps = parser.timestampMeaning !== to.timestampMeaning && parser.isMeaningAssumed !== true;
  if (parser.escapes === to.escapes && !movesStamps) return parser;
  const comment = parser.comment?.bind(parser);
  return {
    timestampMeaning: to.timestampMeaning,
    stampResolutionSeconds: parser.stampResolutionSeconds,
    escapes: to.escapes,
    notices: parser.notices,
    ...(parser.isMeaningAssumed === true && { isMeaningAssumed: true }),
    ...(comment !== undefined && { comment }),
    parse: (bytes, start, end, out) => {
      const verdict = parser.parse(bytes, start, end, out);
      if (verdict !== VERDICT.ok && verdict !== VERDICT.badRequest) return verdict;
      if (movesStamps && !Number.isNaN(out.durationSeconds))
        out.stampSeconds += to.timestampMeaning === 'end' ? out.durationSeconds : -out.durationSeconds;
      rewriteTexts(out.bytes ?? bytes, out, parser.escapes, to.escapes);
      return verdict;
    },
  };
}

const RANGES = [
  ['clientStart', 'clientEnd'],
  ['methodStart', 'methodEnd'],
  ['targetStart', 'targetEnd'],
  ['userStart', 'userEnd'],
  ['agentStart', 'agentEnd'],
  ['refererStart', 'refererEnd'],
] as const;

const markOf = (style: EscapeStyle): number | undefined =>
  style === 'none' ? undefined : style === 'hash' ? HASH : BACKSLASH;

/** Puts the texts together anew where one of them holds what either style marks escapes with. */
function rewriteTexts(bytes: Uint8Array, out: LineFields, from: EscapeStyle, to: EscapeStyle): void {
  const marks = [markOf(from), markOf(to)];
  const isPlain = RANGES.every(([start, end]) =>
    marks.every((mark) => mark === undefined || !bytes.subarray(out[start], out[end]).includes(mark)),
  );
  if (from === to || isPlain) return;
  const parts = RANGES.map(([start, end]) =>
    bytesOf(escapeText(unescapeText(bytes, out[start], out[end], from), to)),
  );
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  parts.forEach((part, index) => {
    const [start, end] = RANGES[index]!;
    whole.set(part, at);
    out[start] = at;
    out[end] = at += part.length;
  });
  out.bytes = whole;
}
