import { canonicalJson } from "@svc/document/canonical";
import type { Node } from "@svc/document/types";
import { WeakCache } from "../cache/weak-cache.ts";

const BLOCKS = new WeakCache<Node, string>("block_json");

/** A block's canonical JSON. A stored block never changes, so it is serialised once while it is in memory. */
export const blockJson = (block: Node): string => BLOCKS.getOrMake(block, canonicalJson);
