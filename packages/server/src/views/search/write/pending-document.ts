import type { Node } from "@svc/document/types";
import { searchableBlocks } from "@svc/search/text/searchable";
import type { BlockText } from "./document-blocks.ts";

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
  readonly texts: Map<string, string | undefined>;
  /** The whole body, where it is at hand. */
  after: readonly Node[] | undefined;
}

/** What a document gains, as far as that is known without looking at the index: all of it if it is new. */
export function draftOf({ texts }: Pending): { readonly added: readonly BlockText[] } {
  const added: BlockText[] = [];
  for (const [blockId, text] of texts) if (text !== undefined) added.push({ blockId, text });
  return { added };
}

/** All texts of it, where the whole body is at hand. */
export function wholeOf({ after, title }: Pending): BlockText[] | undefined {
  return (
    after && [{ blockId: "", text: title }, ...searchableBlocks(after).map(({ id, text }) => ({ blockId: id, text }))]
  );
}
