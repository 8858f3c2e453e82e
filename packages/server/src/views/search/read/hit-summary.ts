import { excerpt, plainText } from "@svc/document/read/text";
import type { Static } from "typebox";
import type { StoredBody } from "../../../bodies/body.ts";
import type { Reader } from "../../../db/database.ts";
import { findSummary } from "../../../domain/knowledge/summaries/queries.ts";
import type { HitSummary } from "../schema.ts";

const MAX_PARAGRAPH = 600;

/** The subject of a document: its stored summary, or else its first paragraph. */
export async function summaryOf(
  db: Reader,
  workspaceId: string,
  documentId: string,
  body: StoredBody,
): Promise<Static<typeof HitSummary>> {
  const stored = await findSummary(db, { workspaceId, scope: "document", targetId: documentId, blockId: "" });
  if (stored && stored.text !== "")
    return {
      text: stored.text,
      generator: stored.generator,
      freshness: stored.source_version === body.version ? "current" : "stale",
    };
  return { text: firstParagraph(body), generator: "deterministic", freshness: "current" };
}

function firstParagraph({ segments }: StoredBody): string {
  for (const segment of segments)
    for (const block of segment.blocks) {
      const text = block.type === "paragraph" ? excerpt(plainText(block), MAX_PARAGRAPH) : "";
      if (text !== "") return text;
    }
  return "";
}
