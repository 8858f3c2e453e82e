import type { Cache, CacheMaker, SegmentValues } from "../query/cache.ts";

function mapCache<T>(): Cache<T> {
  const values = new Map<string, T>();
  return { get: (key) => values.get(key), put: (key, value) => void values.set(key, value) };
}

function mapValues<T>(): SegmentValues<T> {
  const { get, put } = mapCache<T>();
  return {
    get: (stamp, name) => get(`${stamp} ${name}`),
    put: (stamp, name, value) => put(`${stamp} ${name}`, value, 0),
  };
}

/** Caches that never evict, for tests. */
export const mapCaches: CacheMaker = { cache: mapCache, segmentValues: mapValues };
