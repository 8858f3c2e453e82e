import { outlineOf } from "@svc/search/text/outline";
import type { StoredBody } from "../../../bodies/body.ts";
import { type BlockText, textsOf } from "../write/document-blocks.ts";

/** Everything that the index should hold of a body. */
export interface BodyTexts {
  /** The title first. */
  readonly added: readonly BlockText[];
  /** As JSON. */
  readonly outline: string;
}

/** Reads a body in this thread. */
export const textsHere = (title: string, { blocks }: Pick<StoredBody, "blocks">): BodyTexts => ({
  added: textsOf(title, blocks),
  outline: JSON.stringify(outlineOf(blocks)),
});
