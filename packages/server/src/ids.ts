import { randomBytes } from "node:crypto";
import { ulid } from "./ulid.ts";

const prefixes = [
  "doc",
  "block",
  "tok",
  "req",
  "tu",
  "tjob",
  "sjob",
  "ijob",
  "rjob",
  "att",
  "pic",
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
  "client",
  "com",
  "sug",
  "ntf",
  "mail",
  "grp",
  "pky",
  "state",
] as const;
type IdPrefix = (typeof prefixes)[number];

export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid()}`;
export const newBlockId = (): string => newId("block");

/** 256 random bits, for tokens, device codes and session cookies; only their hash is stored. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/**
 * Sorts rows by their ids. For rows that another index finds: if the query asked for that order, SQLite would scan all
 * of a workspace by id.
 */
export const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);
