import type { Journal } from "@svc/live/session";

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

/** What an earlier tab of this person could not store; it is kept on the device until the server has it. */
export const readJournal = (key: string): Promise<Journal | undefined> =>
  run("readonly", (store) => store.get(key) as IDBRequest<Journal | undefined>).catch(() => undefined);

export const writeJournal = (key: string, journal: Journal): Promise<unknown> =>
  run("readwrite", (store) => store.put(journal, key)).catch(() => undefined);

export const removeJournal = (key: string): Promise<unknown> =>
  run("readwrite", (store) => store.delete(key)).catch(() => undefined);
