import { commonEnds } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import type { BodyGuard } from "../../bodies/guard.ts";
import { apiError } from "../../errors.ts";
import { findOwnIds } from "./queries.ts";
import { findReferences } from "./references.ts";

/** Blocks that were not there before, by identity: what stayed needs no look. */
function newBlocks(before: readonly Node[], after: readonly Node[]): readonly Node[] {
  const { start, tail } = commonEnds(before, after);
  const middle = after.slice(start, after.length - tail);
  if (middle.length === 0 || start + tail >= before.length) return middle;
  const old = new Set(before.slice(start, before.length - tail));
  return middle.filter((block) => !old.has(block));
}

/** A body may show attachments of its own document only. An old state that shows a deleted one cannot come back. */
export const guardReferences: BodyGuard = async (tx, { workspaceId, documentId }, before, after) => {
  const references = findReferences(newBlocks(before, after));
  if (references.length === 0) return;
  const ids = [...new Set(references.map((reference) => reference.attachmentId))];
  const own = await findOwnIds(tx, workspaceId, documentId, ids);
  const foreign = references.find((reference) => !own.has(reference.attachmentId));
  if (!foreign) return;
  throw apiError("attachment_not_found", {
    attachment_id: foreign.attachmentId,
    block_id: foreign.blockId,
    attachment_ids: ids.filter((id) => !own.has(id)).slice(0, 100),
    hint: "Upload the file to this document (POST /attachments) and use the id that it answers.",
  });
};
