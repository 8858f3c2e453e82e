import { WeakCache } from "./weak-cache.ts";

const numbers = new WeakCache<object, string>("owner_keys");
let last = 0;

/** A short name of an object, such as a database: keeps the entries of two of them apart in one cache. */
export const keyOf = (owner: object): string => numbers.getOrMake(owner, () => `${++last} `);
