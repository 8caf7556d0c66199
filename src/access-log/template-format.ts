import { latin1Of } from './bytes.ts';
import { LineFields, VERDICT, type LogFormat, type LineParser } from './log-format.ts';
import { templateParser, type Template } from './template.ts';

interface TemplateFormat extends Omit<LogFormat, 'open'> {
  /** The layouts that versions of the writer have; of each file the one that fits the most first lines is taken. */
  readonly templates: readonly Template[];
  /** One file may hold lines of all layouts; each line is read by the first that fits. */
  readonly isMixed?: true;
  /** Lines that the writer puts among its requests and that are none. */
  readonly asides?: RegExp;
  /** What a line of the format must look like for it to be tried; matched on its first bytes as they are. */
  readonly looksLike: RegExp;
}

const LOOKED_AT_BYTES = 512;

const isLike = (line: Uint8Array, pattern: RegExp): boolean =>
  pattern.test(latin1Of(line.subarray(0, LOOKED_AT_BYTES)));

/** A format whose lines are fields between literal texts that its writer has fixed. */
export function templateFormat(format: TemplateFormat): LogFormat {
  const { templates, looksLike, isMixed, asides, ...rest } = format;
  return {
    ...rest,
    open: (head) => {
      const alike = head.filter((line) => isLike(line, looksLike));
      const others =
        asides === undefined
          ? 0
          : head.filter((line) => !isLike(line, looksLike) && isLike(line, asides)).length;
      if (alike.length * 2 <= head.length - others) return undefined;
      const parsers = templates.map(templateParser);
      const parser = isMixed === true ? mixedParser(parsers) : bestParser(parsers, alike);
      return asides === undefined ? parser : withAsides(parser, asides);
    },
  };
}

/** The parser that the most of the lines fit; of equals the first. */
export function bestParser(parsers: readonly LineParser[], lines: readonly Uint8Array[]): LineParser {
  const fields = new LineFields();
  const fitting = parsers.map(
    (parser) =>
      lines.filter((line) => parser.parse(line, 0, line.length, fields) !== VERDICT.unparsed).length,
  );
  return parsers[fitting.indexOf(Math.max(...fitting))]!;
}

/** Each line by the first parser that it fits; what it breaks is told of the first. All stamp the same event. */
export function mixedParser(parsers: readonly LineParser[]): LineParser {
  const [first, ...others] = parsers;
  return {
    ...first!,
    parse: (bytes, start, end, out) => {
      const verdict = first!.parse(bytes, start, end, out);
      if (verdict !== VERDICT.unparsed) return verdict;
      const { reason, brokeAt } = out;
      for (const parser of others) {
        const other = parser.parse(bytes, start, end, out);
        if (other !== VERDICT.unparsed) return other;
      }
      return out.reject(VERDICT.unparsed, reason, brokeAt);
    },
  };
}

/** Tells lines that are no requests, and are not meant to be, from such that do not fit. */
export function withAsides(parser: LineParser, asides: RegExp): LineParser {
  return {
    ...parser,
    parse: (bytes, start, end, out) => {
      const verdict = parser.parse(bytes, start, end, out);
      const isAside =
        verdict === VERDICT.unparsed &&
        asides.test(latin1Of(bytes.subarray(start, Math.min(end, start + LOOKED_AT_BYTES))));
      return isAside ? VERDICT.aside : verdict;
    },
  };
}
