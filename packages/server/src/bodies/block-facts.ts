import { canonicalJson } from "@svc/document/canonical";
import { characterCount } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";

/** What a segment needs to know of a block, each found out when it is first asked for. */
class BlockFacts {
  readonly #block: Node;
  #text: string | undefined;
  #characters: number | undefined;

  constructor(block: Node) {
    this.#block = block;
  }

  /** Its canonical JSON. */
  get text(): string {
    this.#text ??= canonicalJson(this.#block);
    return this.#text;
  }

  /** Code points of its text. */
  get characters(): number {
    this.#characters ??= characterCount(this.#block);
    return this.#characters;
  }
}

/** A stored block never changes, so it is looked at once for as long as it is in memory. */
const known = new WeakMap<Node, BlockFacts>();

export function factsOf(block: Node): BlockFacts {
  const kept = known.get(block);
  if (kept) return kept;
  const facts = new BlockFacts(block);
  known.set(block, facts);
  return facts;
}
