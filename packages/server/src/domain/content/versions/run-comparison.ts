import { type BlockComparison, compareBlocks } from "@svc/document/compare";
import type { StoredBody } from "../../../bodies/body.ts";
import { runAside } from "../../../threads/pool.ts";
import { type Change, changesBetween } from "./changes-between.ts";
import type { changesOfSent, compareSent, SentBodies } from "./compare-worker.ts";

type Tasks = { readonly compareSent: typeof compareSent; readonly changesOfSent: typeof changesOfSent };

const WORKER = new URL("./compare-worker.ts", import.meta.url);
const DEADLINE_MS = 30_000;
/** Bytes of two bodies that are compared within some 30 ms. */
const MAX_BYTES = 65_536;

const isLong = (old: StoredBody | undefined, current: StoredBody): boolean =>
  (old?.byteSize ?? 0) + current.byteSize > MAX_BYTES;

const sent = (old: StoredBody | undefined, current: StoredBody): SentBodies => ({
  old: old?.json,
  current: current.json,
});

/** Compares two bodies; long ones in a thread. */
export async function compareBodies(old: StoredBody, current: StoredBody): Promise<readonly BlockComparison[]> {
  if (!isLong(old, current)) return compareBlocks(old.blocks, current.blocks);
  return runAside<Tasks, "compareSent">(WORKER, "compareSent", sent(old, current), DEADLINE_MS);
}

/** Lists the changes of a body with their headings and texts; without `old`, everything is new. */
export async function listChanges(
  old: StoredBody | undefined,
  current: StoredBody,
  isWhole: boolean,
): Promise<readonly Change[]> {
  if (!isLong(old, current)) return changesBetween(old?.blocks ?? [], current.blocks, isWhole);
  const input = { ...sent(old, current), isWhole };
  return runAside<Tasks, "changesOfSent">(WORKER, "changesOfSent", input, DEADLINE_MS);
}
