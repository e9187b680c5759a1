/** What the store must know of a value. */
export interface Sized {
  /** Bytes of memory, about. May grow; tell the store with `resized`. */
  readonly bytes: number;
}

export interface PageStore<T extends Sized> {
  /** Reads a value and makes it the last one to go. */
  get(key: string): T | undefined;
  /** Keeps a value; those that were not read for the longest time make room. */
  set(key: string, value: T): void;
  delete(key: string): void;
  /** Counts a value anew, when it still is the one that is kept. */
  resized(key: string, value: T): void;
  /** The one read last comes first. */
  newestFirst(): [key: string, value: T][];
  readonly bytes: number;
}

/** Memory bounded in bytes. A value larger than an eighth of it is not kept. */
export function createPageStore<T extends Sized>(maxBytes: number): PageStore<T> {
  // A Map remembers the order of insertion: the oldest is the first.
  const kept = new Map<string, { value: T; bytes: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  function set(key: string, value: T): void {
    remove(key);
    const bytes = value.bytes + key.length;
    if (bytes > maxBytes / 8) return;
    kept.set(key, { value, bytes });
    total += bytes;
    for (const oldest of kept.keys()) {
      if (total <= maxBytes) break;
      remove(oldest);
    }
  }

  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    set,
    delete: remove,
    resized(key, value) {
      if (kept.get(key)?.value === value) set(key, value);
    },
    newestFirst: () => [...kept].map(([key, { value }]): [string, T] => [key, value]).reverse(),
    get bytes() {
      return total;
    },
  };
}
