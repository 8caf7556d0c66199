/** The type with every `readonly` taken off, at any depth: schemas infer mutable types, the model is readonly. */
type Mutable<T> = T extends (infer Item)[] | readonly (infer Item)[]
  ? number extends T['length']
    ? Mutable<Item>[]
    : { -readonly [I in keyof T]: Mutable<T[I]> }
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/**
 * `true` if what a schema infers and the model's type can stand for each other; otherwise an error at compile time
 * wherever `satisfies` is written: `true satisfies Agrees<…>`.
 */
export type Agrees<Inferred, Model> = [Mutable<Inferred>] extends [Mutable<Model>]
  ? [Mutable<Model>] extends [Mutable<Inferred>]
    ? true
    : 'the model allows what the schema refuses'
  : 'the schema allows what the model does not';
