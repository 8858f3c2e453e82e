import { commonEnds } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import { apiError } from "../../../errors.ts";
import type { BodyGuard } from "../../../services/body-views.ts";
import { findOwnIds } from "./queries.ts";
import { findReferences } from "./references.ts";

/** The new blocks, by identity: unchanged blocks need no check. */
function newBlocks(before: readonly Node[], after: readonly Node[]): readonly Node[] {
  const { start, tail } = commonEnds(before, after);
  const middle = after.slice(start, after.length - tail);
  if (middle.length === 0 || start + tail >= before.length) return middle;
  const old = new Set(before.slice(start, before.length - tail));
  return middle.filter((block) => !old.has(block));
}

/** A body may show only attachments of its own document. An old state that shows a deleted one cannot be restored. */
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
    hint: "Upload the file to this document (POST /attachments) and use the id in the answer.",
  });
};
