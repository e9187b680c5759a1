// All that a browser may deny to a page: storage, channels between windows, the clipboard. Where site data is blocked (by a
// setting, a company's policy, an embedded view), even reading `window.localStorage` throws.

/** `Storage` that never throws. What the browser does not keep stays in memory until the page is left. */
export interface SiteStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys(): string[];
  clear(): void;
}

/** Shared by all tabs. */
export const browserStorage = createStorage(() => localStorage);
/** Of this tab. */
export const tabStorage = createStorage(() => sessionStorage);

function createStorage(open: () => Storage): SiteStorage {
  const memory = new Map<string, string>();

  function attempt<Value>(use: (storage: Storage) => Value): Value | undefined {
    try {
      return use(open());
    } catch {
      return undefined;
    }
  }

  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem(key, value) {
      memory.set(key, value);
      // A full storage keeps the former value, which is better than none when the page is left.
      attempt((storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      });
    },
    removeItem(key) {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    keys: () => [...memory.keys(), ...(attempt((storage) => Object.keys(storage)) ?? [])],
    clear() {
      memory.clear();
      attempt((storage) => storage.clear());
    },
  };
}

/** Whether the browser keeps what the site stores after the page is left. */
export function keepsSiteData(): boolean {
  const key = "site-data-check";
  try {
    localStorage.setItem(key, key);
    localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** A channel to the other windows of this browser; null where it is denied. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/** @returns whether the text was copied. Browsers offer the clipboard only with https, and may refuse it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
