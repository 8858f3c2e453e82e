import type { Caller } from "./caller.ts";
import type { LoadRecord } from "./record.ts";

export interface Scene {
  readonly caller: Caller;
  readonly record: LoadRecord;
  readonly base: number;
  /** Somebody whom comments mention. */
  readonly mentioned?: string | undefined;
  /** A number below `n`. */
  readonly random: (n: number) => number;
}

/** One step of one client; false when it was not answered. */
export type Step = () => Promise<boolean>;

/** Every text has this word, so that one search finds them all. */
export const WORD = "vole";
