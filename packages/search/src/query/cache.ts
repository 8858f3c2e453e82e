/** A bounded cache of values that never change under their key. The process that searches hands it in. */
export type Cache<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T, bytes: number): void;
};

export type MakeCache = <T>(maxBytes: number) => Cache<T>;
