import { hash } from "node:crypto";
import { setImmediate as otherWork } from "node:timers/promises";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { blockJson } from "../../../bodies/block-json.ts";
import { WeakCache } from "../../../cache/weak-cache.ts";

export interface ManifestEntry {
  readonly block_id: string;
  readonly type: string;
  readonly position: number;
  /** Hash of the block's canonical JSON: equal hashes mean equal blocks. */
  readonly hash: string;
}

/** Stored nodes never change, so their hashes can be cached with them. */
const HASHES = new WeakCache<Node, string>("block_hashes");
const BLOCKS_AT_ONCE = 1000;

const makeHash = (block: Node): string => `sha256:${hash("sha256", blockJson(block), "hex")}`;

export const hashOf = (block: Node): string => HASHES.getOrMake(block, makeHash);

/** The top-level blocks of a body in order. Yields to other requests now and then. */
export async function manifestOf(blocks: readonly Node[]): Promise<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const [position, block] of blocks.entries()) {
    if (position % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) await otherWork();
    entries.push({ block_id: idOf(block), type: block.type, position, hash: hashOf(block) });
  }
  return entries;
}
