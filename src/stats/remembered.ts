/** Beyond this many a computed text is not remembered: ones made anew each time must not fill the memory. */
const MOST_REMEMBERED = 10_000;

/** `compute`, which is pure, for texts that are few and come again and again, such as those written in a scenario. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = compute(text);
      if (known.size < MOST_REMEMBERED) known.set(text, value);
    }
    return value;
  };
}
