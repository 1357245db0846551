/** What the app uses of the browser's storage. */
export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear">;

/**
 * A storage of the browser that never throws. What it refuses stays in memory until the page is left: the player has
 * blocked it, or it is full.
 */
function storeOf(open: () => Storage): Store {
  const memory = new Map<string, string>();
  const tried = <T>(call: (storage: Storage) => T): T | null => {
    try {
      return call(open());
    } catch {
      return null;
    }
  };
  return {
    getItem: (key) => memory.get(key) ?? tried((storage) => storage.getItem(key)),
    setItem: (key, value) => {
      memory.set(key, value);
      tried((storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      });
    },
    removeItem: (key) => {
      memory.delete(key);
      tried((storage) => storage.removeItem(key));
    },
    clear: () => {
      memory.clear();
      tried((storage) => storage.clear());
    },
  };
}

/** What the browser keeps. */
export const deviceStorage = storeOf(() => localStorage);
/** What the browser keeps as long as the tab. */
export const tabStorage = storeOf(() => sessionStorage);
