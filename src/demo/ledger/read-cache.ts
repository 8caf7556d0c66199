/** Keeps the entries that were read last; counts how often it had the answer. */
export interface ReadCache {
  hitCount: number;
  missCount: number;
  get(id: number): string | undefined;
  set(id: number, entry: string): void;
}

export function createReadCache(limit: number): ReadCache {
  const entries = new Map<number, string>();
  return {
    hitCount: 0,
    missCount: 0,
    get(id) {
      const entry = entries.get(id);
      if (entry === undefined) {
        this.missCount += 1;
        return undefined;
      }
      this.hitCount += 1;
      entries.delete(id);
      entries.set(id, entry);
      return entry;
    },
    set(id, entry) {
      entries.set(id, entry);
      if (entries.size > limit) entries.delete(entries.keys().next().value!);
    },
  };
}
