import { hash } from "node:crypto";
import { setImmediate as otherWork } from "node:timers/promises";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { blockJson } from "../../bodies/block-json.ts";

export interface ManifestEntry {
  readonly block_id: string;
  readonly type: string;
  readonly position: number;
  /** Of the block's canonical JSON: equal hashes, equal blocks. */
  readonly hash: string;
}

/** Stored nodes never change, so their hashes may be kept with them. */
const hashes = new WeakMap<Node, string>();
const BLOCKS_AT_ONCE = 1000;

export function hashOf(block: Node): string {
  const known = hashes.get(block);
  if (known) return known;
  const fresh = `sha256:${hash("sha256", blockJson(block), "hex")}`;
  hashes.set(block, fresh);
  return fresh;
}

/** What the top-level blocks of a body are and where they stand. Lets other requests through now and then. */
export async function manifestOf(blocks: readonly Node[]): Promise<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const [position, block] of blocks.entries()) {
    if (position % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) await otherWork();
    entries.push({ block_id: idOf(block), type: block.type, position, hash: hashOf(block) });
  }
  return entries;
}
