const DATABASE = "svc-editor";
const STORE = "journals";

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const run = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const database = await open();
  return new Promise((resolve, reject) => {
    const request = work(database.transaction(STORE, mode).objectStore(STORE));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
};

/** Reads unsent edits from this device; a browser that stores nothing is no failure. */
export const readKept = <T>(key: string): Promise<T | undefined> =>
  run("readonly", (store) => store.get(key) as IDBRequest<T | undefined>).catch(() => undefined);

/** The stored keys that start with this text. */
export const keptKeys = (start: string): Promise<readonly string[]> =>
  run("readonly", (store) => store.getAllKeys(IDBKeyRange.bound(start, `${start}\uffff`)))
    .then((keys) => keys.map(String))
    .catch(() => []);

export const keep = (key: string, value: unknown): Promise<unknown> =>
  run("readwrite", (store) => store.put(value, key)).catch(() => undefined);

export const removeKept = (key: string): Promise<unknown> =>
  run("readwrite", (store) => store.delete(key)).catch(() => undefined);
