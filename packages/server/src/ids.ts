import { randomBytes, randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";

const prefixes = [
  "doc",
  "block",
  "tok",
  "req",
  "tu",
  "tjob",
  "sjob",
  "ijob",
  "att",
  "rel",
  "concept",
  "cand",
  "dset",
  "ws",
  "user",
  "kb",
  "sess",
  "dev",
  "aud",
  "inv",
  "trash",
  "sum",
  "stream",
  "proc",
  "hook",
  "dlv",
] as const;
export type IdPrefix = (typeof prefixes)[number];

/** Random numbers from a pool: asking the system for each character of an id costs more than the rest of it. */
const pool = new Uint32Array(1024);
let used = pool.length;
const random = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return (pool[used++] ?? 0) / 2 ** 32;
};

/** Rising within a process, also when the clock steps back. */
const ulid = monotonicFactory(random);

export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid()}`;
export const newBlockId = (): string => newId("block");

/** 256 random bits, for tokens, device codes and session cookies; only their hash is stored. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
