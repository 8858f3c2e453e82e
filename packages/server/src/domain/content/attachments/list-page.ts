import type { StoredBody } from "../../../bodies/body.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { listAttachments } from "./queries.ts";
import { referencesOf } from "./references.ts";
import { attachmentOf } from "./represent.ts";

/** One page of a document's attachments, each with how often the body shows it. */
export function listPage(
  { secret, config }: Pick<Services, "secret" | "config">,
  db: Reader,
  { workspaceId, documentId }: DocumentKey,
  { blocks }: Pick<StoredBody, "blocks">,
  query: { readonly limit?: number; readonly cursor?: string },
): Promise<ListAnswer<ReturnType<typeof attachmentOf>>> {
  const shown = Map.groupBy(referencesOf(blocks), (reference) => reference.attachmentId);
  return pageOf(secret, ["attachments", documentId], query, {
    fetch: ([after = ""], size) => listAttachments(db, workspaceId, documentId, String(after), size),
    keyOf: (row) => [row.id],
    represent: (row) => attachmentOf(row, shown.get(row.id)?.length ?? 0, config),
  });
}
