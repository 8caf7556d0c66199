const made = new WeakSet<object>();

/** Whether a value is one that a rehearsal made up. */
export const isPlaceholder = (value: unknown): boolean => typeof value === 'function' && made.has(value);

/** `{name}` as text and in JSON; whatever is looked for in it is a placeholder again, and as a list it has one element. */
export function placeholder(name: string): unknown {
  const text = (): string => `{${name}}`;
  const proxy = new Proxy(() => undefined, {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === 'toString' || key === 'toJSON') return text;
      if (key === Symbol.iterator) return () => [placeholder(`${name}[0]`)][Symbol.iterator]();
      // An `await` must not take it for a promise.
      if (typeof key === 'symbol' || key === 'then') return undefined;
      return placeholder(/^\d+$/.test(key) ? `${name}[${key}]` : `${name}.${key}`);
    },
    apply: () => placeholder(`${name}()`),
  });
  made.add(proxy);
  return proxy;
}
