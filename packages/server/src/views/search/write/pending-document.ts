import type { Node } from "@svc/document/types";
import { NO_SECTION, type Outline } from "@svc/search/text/outline";
import type { ChangedBlocks } from "./changed-blocks.ts";
import { type BlockText, type PlacedText, textsOf } from "./document-blocks.ts";

/** What one transaction did to a document, as far as search is concerned. */
export interface Pending {
  readonly documentId: string;
  /** The version that the changes start from; null for a new document. */
  readonly from: string | null;
  /** Created in this transaction: the index holds nothing of it. */
  readonly isCreated: boolean;
  version: string;
  title: string;
  /** The text that a block has now; undefined when it has none. The title's id is empty. */
  readonly texts: Map<string, PlacedText | undefined>;
  /** The sections of blocks that keep their text and stand in another section now. */
  readonly moved: Map<string, string>;
  /** The headings, if some of them changed. */
  outline: Outline | undefined;
  /** Whether a write left little of the body as it was. */
  isRewritten: boolean;
  /** The whole body, where it is at hand. */
  after: readonly Node[] | undefined;
}

export const titleText = (title: string): PlacedText => ({ text: title, section: NO_SECTION });

/** What happened later to the same document. */
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

/** What a document gains, as far as that is known without looking at the index: all of it if it is new. */
export function draftOf({ texts }: Pending): { readonly added: readonly BlockText[] } {
  const added: BlockText[] = [];
  for (const [blockId, text] of texts) if (text !== undefined) added.push({ blockId, ...text });
  return { added };
}

/** All texts of it, where the whole body is at hand. */
export const wholeOf = ({ after, title }: Pending): BlockText[] | undefined => after && textsOf(title, after);
