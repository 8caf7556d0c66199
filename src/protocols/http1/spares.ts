/** Objects that are needed for a while, by few at a time: what is given back serves the next that takes one. */
export class Spares<T> {
  readonly #create: () => T;
  readonly #spares: T[] = [];

  constructor(create: () => T) {
    this.#create = create;
  }

  /** In the state in which it was given back. */
  take(): T {
    return this.#spares.pop() ?? this.#create();
  }

  give(one: T): void {
    this.#spares.push(one);
  }
}
