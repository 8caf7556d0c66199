/**
 * The fields that have a value, for objects in which absence is a missing field: `present({ a: 1, b: undefined })`
 * is `{ a: 1 }`.
 */
export function present<Fields extends object>(
  fields: Fields,
): { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  // A copy without holes, by the loop: this runs for every route of every step.
  const there: { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } = {};
  for (const key of Object.keys(fields) as (keyof Fields)[]) {
    const value = fields[key];
    if (value !== undefined) there[key] = value as Exclude<Fields[typeof key], undefined>;
  }
  return there;
}
