import type { Node } from "@svc/document/types";
import { NO_SECTION, type Outline } from "@svc/search/text/outline";
import type { ChangedBlocks } from "./changed-blocks.ts";
import { type BlockText, type PlacedText, textsOf } from "./document-blocks.ts";

/** The effect of one transaction on a document, as far as search is concerned. */
export interface Pending {
  readonly documentId: string;
  /** The version that the changes start from; null for a new document. */
  readonly from: string | null;
  /** Created in this transaction, so the index holds nothing of it. */
  readonly isCreated: boolean;
  version: string;
  title: string;
  /** The current text of a block; undefined if it has none any more. The title's id is empty. */
  readonly texts: Map<string, PlacedText | undefined>;
  /** The sections of blocks with an unchanged text that are now in another section. */
  readonly moved: Map<string, string>;
  /** The headings, if some of them changed. */
  outline: Outline | undefined;
  /** Whether a write changed most of the body. */
  isRewritten: boolean;
  /** The whole body, if it is loaded. */
  after: readonly Node[] | undefined;
}

export const titleText = (title: string): PlacedText => ({ text: title, section: NO_SECTION });

/** Adds later changes to the same document. */
export function addBlocks(pending: Pending, { texts, moved, outline }: ChangedBlocks): void {
  for (const [id, section] of moved) {
    const known = pending.texts.get(id);
    if (known) pending.texts.set(id, { ...known, section });
    else if (!pending.texts.has(id)) pending.moved.set(id, section);
  }
  for (const [id, text] of texts) {
    pending.texts.set(id, text);
    pending.moved.delete(id);
  }
  pending.outline = outline ?? pending.outline;
}

/** The texts that a document gains, as far as known without reading the index: all of them if it is new. */
export function draftOf({ texts }: Pending): { readonly added: readonly BlockText[] } {
  const added: BlockText[] = [];
  for (const [blockId, text] of texts) if (text !== undefined) added.push({ blockId, ...text });
  return { added };
}

/** All its texts, if the whole body is loaded. */
export const wholeOf = ({ after, title }: Pending): BlockText[] | undefined => after && textsOf(title, after);
