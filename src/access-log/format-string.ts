import { ShiploadError } from '../errors.ts';
import type { FieldKind } from './fields.ts';
import type { Template, TemplateField } from './template.ts';

/** A piece of a format string: literal text, or a variable by its name as written. */
export type FormatToken = { readonly literal: string } | { readonly variable: string };

/** What a server's variable means, and how it ranks where several say the same (higher wins). */
export interface VariableMeaning {
  readonly kind: FieldKind;
  readonly rank?: number;
  /** For time stamps: the event that is stamped, where the variable says so. */
  readonly meaning?: 'start' | 'end';
  readonly resolutionSeconds?: number;
}

const DURATIONS: readonly FieldKind[] = ['durationSeconds', 'durationMilliseconds', 'durationMicroseconds'];
const STAMPS: readonly FieldKind[] = ['clfStamp', 'isoStamp', 'epochStamp'];
const ONCE: readonly (readonly FieldKind[])[] = [
  DURATIONS,
  STAMPS,
  ['status'],
  ['target'],
  ['responseBytes'],
];

/**
 * Turns the tokens of a format string into a template. Where several variables give one quantity, the one of
 * the highest rank (the finest) is read and the others are skipped.
 * Throws `log-format-unknown` when two variables touch, or when the time, the request or the status is missing.
 */
export function templateOf(
  text: string,
  tokens: readonly FormatToken[],
  meaningOf: (variable: string) => VariableMeaning,
  escapes: Template['escapes'],
  defaultMeaning: 'start' | 'end',
): Template {
  const fields: (TemplateField & { readonly variable: VariableMeaning })[] = [];
  let literal = '';
  for (const token of tokens) {
    if ('literal' in token) literal += token.literal;
    else {
      if (literal === '' && fields.length > 0) throw touching(text, token.variable);
      const variable = meaningOf(token.variable);
      fields.push({ before: literal, kind: variable.kind, variable });
      literal = '';
    }
  }
  const chosen = fields.map((field) => ({
    ...field,
    kind: isBest(field, fields) ? field.kind : ('skipped' as const),
  }));
  const stamp = chosen.find((field) => STAMPS.includes(field.kind))?.variable;
  requireFields(
    text,
    chosen.map((field) => field.kind),
  );
  return {
    fields: chosen.map(({ before, kind }) => ({ before, kind })),
    after: literal,
    escapes,
    timestampMeaning: stamp?.meaning ?? defaultMeaning,
    stampResolutionSeconds: stamp?.resolutionSeconds ?? 1,
  };
}

type RankedField = TemplateField & { readonly variable: VariableMeaning };

function isBest(field: RankedField, all: readonly RankedField[]): boolean {
  const group = ONCE.find((kinds) => kinds.includes(field.kind));
  if (group === undefined) return true;
  const rivals = all.filter((other) => group.includes(other.kind));
  const best = Math.max(...rivals.map((other) => other.variable.rank ?? 0));
  return field === rivals.find((other) => (other.variable.rank ?? 0) === best);
}

function touching(text: string, variable: string): ShiploadError {
  return new ShiploadError(
    'log-format-unknown',
    `the format string puts ${variable} right behind another variable, so no text marks where one ends`,
    { where: text, hint: 'Put a space or a quote between the two in the format string and in the log.' },
  );
}

function requireFields(text: string, kinds: readonly FieldKind[]): void {
  const has = (...wanted: FieldKind[]): boolean => wanted.some((kind) => kinds.includes(kind));
  const missing = [
    ...(has(...STAMPS) ? [] : ['the time']),
    ...(has('request') || (has('method') && has('target')) ? [] : ['the request']),
    ...(has('status') ? [] : ['the status']),
  ];
  if (missing.length > 0)
    throw new ShiploadError(
      'log-format-unknown',
      `the format string lacks ${missing.join(' and ')}, without which a line says nothing of the workload`,
      { where: text, hint: 'Give the whole log_format (nginx) or LogFormat (Apache) string of the server.' },
    );
}
