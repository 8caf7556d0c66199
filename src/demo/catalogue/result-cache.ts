/** The answers used last, by key. */
export interface ResultCache {
  get(key: string): string | undefined;
  set(key: string, result: string): void;
}

/** Keeps `capacity` results and drops the one whose last use is longest ago (least recently used). */
export function createResultCache(capacity: number): ResultCache {
  // A Map keeps the order of insertion: the first key is the one to drop.
  const results = new Map<string, string>();
  return {
    get(key) {
      const result = results.get(key);
      if (result !== undefined) {
        results.delete(key);
        results.set(key, result);
      }
      return result;
    },
    set(key, result) {
      results.delete(key);
      results.set(key, result);
      if (results.size > capacity) results.delete(results.keys().next().value!);
    },
  };
}
