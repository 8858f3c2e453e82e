import { canonicalJson } from "@svc/document/canonical";
import type { Node } from "@svc/document/types";

const known = new WeakMap<Node, string>();

/** A block's canonical JSON. A stored block never changes, so it is written once for as long as it is in memory. */
export function blockJson(block: Node): string {
  const kept = known.get(block);
  if (kept !== undefined) return kept;
  const json = canonicalJson(block);
  known.set(block, json);
  return json;
}
