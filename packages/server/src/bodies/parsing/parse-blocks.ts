import { parseAnchored } from "@svc/document/markdown/anchors";
import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { normaliseBody } from "@svc/document/schema/normalise";
import { validateBody } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import type { DocumentType } from "../../db/schema/tables/documents.ts";
import { newBlockId } from "../../ids.ts";
import { markdownOf } from "./block-markdown.ts";

/** A body as a request sends it. */
export type SentContent =
  | { readonly format: "markdown"; readonly content: string }
  | { readonly format: "tiptap-json"; readonly document: unknown };

export interface ParseRules {
  readonly documentType: DocumentType;
  readonly maxCharacters: number;
  /** Markdown without anchors keeps the ids of blocks that stay or are only edited. */
  readonly matchIds?: boolean;
  /** The Markdown that the previous blocks were read from, if it is stored. */
  readonly source?: string | undefined;
  /** The Markdown that the style of the previous blocks comes from, if any. */
  readonly style?: string | undefined;
}

/** Returns the checked blocks of a write, with ids; anchors refer to the previous blocks. */
export function parseBlocks(
  content: SentContent,
  previous: readonly Node[],
  { documentType, maxCharacters, matchIds = false, source, style }: ParseRules,
): readonly Node[] {
  const sent =
    content.format === "markdown"
      ? {
          type: "doc",
          content: parseAnchored(splitFrontMatter(content.content).body, previous, newBlockId, {
            writeMarkdown: markdownOf,
            matchIds,
            source,
            style,
          }),
        }
      : content.document;
  return normaliseBody(validateBody(sent, { documentType, maxCharacters }), newBlockId).content;
}
