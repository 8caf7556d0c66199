/** 512 KB: one fits beside the code into a core's second-level cache, sixteen do not. */
const TABLE_WORDS = 131_072;
/** One entry a cache line of 64 bytes. */
const ENTRY_WORDS = 16;
const STEPS_PER_SLICE = 80_000;
const SLICES = 4;

/** A closed tour through a table in random order: each step needs the one before, so none can be guessed. */
function createTable(): Uint32Array {
  const entryCount = TABLE_WORDS / ENTRY_WORDS;
  const order = Uint32Array.from({ length: entryCount }, (_, i) => i);
  let state = 12_345;
  for (let i = entryCount - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = state % (i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  const table = new Uint32Array(TABLE_WORDS);
  order.forEach((entry, i) => {
    table[entry * ENTRY_WORDS] = order[(i + 1) % entryCount]! * ENTRY_WORDS;
  });
  return table;
}

function walk(table: Uint32Array, from: number): number {
  let at = from;
  for (let step = 0; step < STEPS_PER_SLICE; step += 1) at = table[at]!;
  return at;
}

/** Tables that no request is using. */
const idle: Uint32Array[] = [];

/**
 * A fixed amount of pure CPU work, in slices between which other requests have their turn. Every request walks a
 * table of its own: one at a time finds it in the cache at each slice, many push one another's out, so that the
 * same work takes more CPU the more requests share the core.
 */
export function workOnCpu(onDone: (result: number) => void): void {
  const table = idle.pop() ?? createTable();
  let sliceCount = 0;
  let at = 0;
  const runSlice = (): void => {
    at = walk(table, at);
    sliceCount += 1;
    if (sliceCount < SLICES) {
      setImmediate(runSlice);
      return;
    }
    idle.push(table);
    onDone(at);
  };
  runSlice();
}
