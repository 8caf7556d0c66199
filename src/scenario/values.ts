/** A value in a message: what it is, where its text is long or says nothing. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** What JavaScript makes of a value in a text: a number its figures, a made-up value its name in braces. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : `${value as number}`);
