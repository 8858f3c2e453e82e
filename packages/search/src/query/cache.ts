/** A cache of values that never change under their key. */
export type Cache<T> = {
  get(key: string): T | undefined;
  /** `bytes`: the estimated size of the value in memory. */
  put(key: string, value: T, bytes: number): void;
};

/** A cache of values that belong to a segment: by the segment's stamp and a name. */
export type SegmentValues<T> = {
  get(stamp: number, name: string): T | undefined;
  put(stamp: number, name: string, value: T): void;
};

/** The searching process provides the caches, because only it knows how much memory they may take. */
export type CacheMaker = {
  /** `share`: the largest share of the cache memory that this one may take. */
  cache<T>(name: string, share?: number): Cache<T>;
  segmentValues<T>(name: string, bytesOf: (value: T) => number): SegmentValues<T>;
};
