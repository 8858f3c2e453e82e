import { WeakCache } from "./weak-cache.ts";

const numbers = new WeakCache<object, string>("owner_keys");
let last = 0;

/** A short name of an object, such as a database: separates the entries of two objects in one cache. */
export const keyOf = (owner: object): string => numbers.getOrMake(owner, () => `${++last} `);
