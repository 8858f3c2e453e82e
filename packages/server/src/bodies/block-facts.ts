import { canonicalJson } from "@svc/document/canonical";
import { characterCount } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";

/** What a segment needs to know of a block. */
export interface BlockFacts {
  /** Its canonical JSON. */
  readonly text: string;
  /** Code points of its text. */
  readonly characters: number;
}

/** A stored block never changes, so it is looked at once for as long as it is in memory. */
const known = new WeakMap<Node, BlockFacts>();

export function factsOf(block: Node): BlockFacts {
  const kept = known.get(block);
  if (kept) return kept;
  const facts = { text: canonicalJson(block), characters: characterCount(block) };
  known.set(block, facts);
  return facts;
}
