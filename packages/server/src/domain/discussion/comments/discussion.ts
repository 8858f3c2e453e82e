import type { Tx } from "../../../db/database.ts";
import type { CommentRow } from "../../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { type EventType, ledgerOf } from "../../../events/ledger.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import type { Services } from "../../../services.ts";
import { lockDocument } from "../../library/documents/queries.ts";
import { checkMayDiscuss } from "../../library/knowledge-bases/may-discuss.ts";
import { countComments, getComment } from "./queries.ts";

/** Limit of comments per document: enough for any discussion, and a safeguard against runaway programs. */
const MAX_COMMENTS = 10_000;

/** The transaction and the author of a change of comments. */
export interface Discussion {
  readonly app: Services;
  readonly tx: Tx;
  readonly caller: Caller;
  readonly actor: Actor;
}

/** Locks the document, so that it cannot be deleted meanwhile, and checks that this caller may comment. */
export async function lockDiscussed({ tx, caller }: Discussion, documentId: string): Promise<DocumentRow> {
  const document = await lockDocument(tx, caller.workspaceId, documentId);
  await checkMayDiscuss(tx, caller, document.knowledge_base_id);
  return document;
}

/** Reads a comment with its document locked. */
export async function lockComment(
  discussion: Discussion,
  id: string,
): Promise<{ row: CommentRow; document: DocumentRow }> {
  const { tx, caller } = discussion;
  const { document_id } = await getComment(tx, caller.workspaceId, id);
  const document = await lockDiscussed(discussion, document_id);
  return { row: await getComment(tx, caller.workspaceId, id), document };
}

/** Appends the event of a change. */
export const appendCommentEvent = (
  { tx, actor }: Discussion,
  type: EventType,
  document: DocumentRow,
  row: CommentRow,
): void =>
  ledgerOf(tx, document.workspace_id).event(type, document, actor, {
    comment: { id: row.id, thread_id: row.thread_id },
  });

/** Responds 422 if the document would exceed its limit of comments. */
export async function requireRoom(
  { tx }: Pick<Discussion, "tx">,
  { workspace_id, document_id }: Pick<CommentRow, "workspace_id" | "document_id">,
  adding = 1,
): Promise<void> {
  const used = await countComments(tx, workspace_id, document_id);
  if (used + adding > MAX_COMMENTS) throw quotaExceeded("comments", MAX_COMMENTS, used);
}
