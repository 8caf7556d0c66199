/** So many places; who finds none waits in line, first come, first served. */
export interface SlotPool {
  /** Calls `begin` once a slot is free; the slot is held until the `release` it is given is called, once. */
  acquire(begin: (release: () => void) => void): void;
  /** How many slots there are and are held, and how many wait for one. */
  use(): { readonly in_use: number; readonly size: number; readonly waiting: number };
}

export function createSlotPool(slotCount: number): SlotPool {
  const waiting: ((release: () => void) => void)[] = [];
  let freeCount = slotCount;
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) freeCount += 1;
    else next(release);
  };
  return {
    use: () => ({ in_use: slotCount - freeCount, size: slotCount, waiting: waiting.length }),
    acquire(begin) {
      if (freeCount === 0) {
        waiting.push(begin);
        return;
      }
      freeCount -= 1;
      begin(release);
    },
  };
}
