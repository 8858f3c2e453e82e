import { sameJson } from "@svc/document/canonical";
import { parseAnchored } from "@svc/document/markdown/anchors";
import { normaliseBody } from "@svc/document/schema/normalise";
import { validateBody } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import type { Config } from "../../config.ts";
import type { DocumentType } from "../../db/tables.ts";
import { newBlockId } from "../../ids.ts";
import { markdownOf } from "./block-markdown.ts";

/** A body as a request brings it. */
export type SentContent =
  | { readonly format: "markdown"; readonly content: string }
  | { readonly format: "tiptap-json"; readonly document: unknown };

/** The blocks of a new document. */
export const parseNewBody = (
  content: SentContent | undefined,
  documentType: DocumentType,
  config: Config,
): readonly Node[] => (content ? parseContent(content, [], documentType, config) : []);

/** The blocks that a write asks for: checked, with ids, and what is unchanged taken from the previous blocks. */
export function parseContent(
  content: SentContent,
  previous: readonly Node[],
  documentType: DocumentType,
  config: Config,
): readonly Node[] {
  const sent =
    content.format === "markdown"
      ? { type: "doc", content: parseAnchored(content.content, previous, newBlockId, markdownOf) }
      : content.document;
  const body = validateBody(sent, { documentType, maxCharacters: config.maxDocumentCharacters });
  return keepSame(normaliseBody(body, newBlockId).content, previous);
}

/** Puts the stored object in place of an equal one, so that what did not change is known by identity. */
function keepSame(blocks: readonly Node[], previous: readonly Node[]): readonly Node[] {
  if (previous.length === 0) return blocks;
  const stored = new Map(previous.map((block) => [block.attrs?.id, block]));
  return blocks.map((block) => {
    const same = stored.get(block.attrs?.id);
    return same && same !== block && sameJson(same, block) ? same : block;
  });
}
