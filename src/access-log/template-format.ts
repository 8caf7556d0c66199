import { latin1Of } from './bytes.ts';
import { LineFields, VERDICT, type LogFormat, type LineParser } from './log-format.ts';
import { templateParser, type Template } from './template.ts';

interface TemplateFormat extends Omit<LogFormat, 'open'> {
  /** The layouts that versions of the writer have; of each file the one that fits the most first lines is taken. */
  readonly templates: readonly Template[];
  /** What a line of the format must look like for it to be tried; matched on its first bytes as they are. */
  readonly looksLike: RegExp;
}

const LOOKED_AT_BYTES = 512;

/** A format whose lines are fields between literal texts that its writer has fixed. */
export function templateFormat(format: TemplateFormat): LogFormat {
  const { templates, looksLike, ...rest } = format;
  return {
    ...rest,
    open: (head) => {
      const alike = head.filter((line) => looksLike.test(latin1Of(line.subarray(0, LOOKED_AT_BYTES))));
      return alike.length * 2 > head.length ? bestParser(templates.map(templateParser), alike) : undefined;
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
