/** A promise and the call that settles it. */
export interface Deferred {
  readonly done: Promise<void>;
  readonly resolve: () => void;
}

export function deferred(): Deferred {
  let resolve: () => void = () => {};
  const done = new Promise<void>((settle) => (resolve = settle));
  return { done, resolve };
}
