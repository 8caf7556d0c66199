/**
 * The fields that have a value, for objects in which absence is a missing field: `present({ a: 1, b: undefined })`
 * is `{ a: 1 }`.
 */
export function present<Fields extends object>(
  fields: Fields,
): { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
