import type { Reader } from "../../../db/database.ts";
import type { NotificationReason } from "../../../db/schema/tables/discussion.ts";
import { quotesNothingDeleted } from "../../../notify/queries.ts";
import { listReaders, type Recipient } from "../../../notify/readers.ts";

interface NotificationFacts {
  readonly id: string;
  readonly reason: NotificationReason;
  readonly actor: string;
  readonly excerpt: string;
  readonly document_id: string;
  readonly knowledge_base_id: number | null;
  readonly comment_id: string | null;
  readonly suggestion_id: string | null;
  readonly created_at: number;
  readonly read_at: number | null;
  readonly title: string | null;
  readonly base_name: string | null;
  readonly workspace_name: string;
}

export interface Deliverable {
  readonly recipient: Recipient;
  readonly rows: readonly NotificationFacts[];
}

/** The notifications that may still be sent to a person by mail or webhook; undefined if there are none. */
export async function findDeliverable(
  db: Reader,
  workspaceId: string,
  userId: string,
  ids: readonly string[],
): Promise<Deliverable | undefined> {
  let recipient: Recipient | undefined;
  const rows: NotificationFacts[] = [];
  for (const row of await listFacts(db, workspaceId, userId, ids)) {
    const base = { workspaceId, knowledgeBaseId: row.knowledge_base_id };
    const [reader] = await listReaders(db, base, [userId]);
    if (!reader) continue;
    recipient = reader;
    rows.push(row);
  }
  return recipient && { recipient, rows };
}

/** Excludes notifications about deleted documents and comments. A moved page counts at its current location. */
async function listFacts(
  db: Reader,
  workspaceId: string,
  userId: string,
  ids: readonly string[],
): Promise<NotificationFacts[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("notifications as n")
    .innerJoin("workspaces as w", "w.id", "n.workspace_id")
    .leftJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "n.workspace_id").onRef("d.id", "=", "n.document_id"),
    )
    .leftJoin("knowledge_bases as k", (join) =>
      join.onRef("k.workspace_id", "=", "n.workspace_id").onRef("k.id", "=", "n.knowledge_base_id"),
    )
    .leftJoin("comments as c", (join) =>
      join.onRef("c.workspace_id", "=", "n.workspace_id").onRef("c.id", "=", "n.comment_id"),
    )
    .select(["n.id", "n.reason", "n.actor", "n.excerpt", "n.document_id", "n.comment_id", "n.suggestion_id"])
    .select(["n.created_at", "n.read_at", "d.title", "k.name as base_name", "w.name as workspace_name"])
    .select((eb) => eb.fn.coalesce("d.knowledge_base_id", "n.knowledge_base_id").as("knowledge_base_id"))
    .where("n.workspace_id", "=", workspaceId)
    .where("n.user_id", "=", userId)
    .where("n.id", "in", ids)
    .where((eb) => eb.or([eb("n.document_id", "=", ""), eb("d.id", "is not", null)]))
    .where(quotesNothingDeleted)
    .orderBy("n.id")
    .execute();
  return rows;
}

/** The name of a notification's subject. */
export const aboutOf = ({ title, base_name, workspace_name }: NotificationFacts): string =>
  title ?? base_name ?? workspace_name;

/**
 * Path of the page that shows a notification, including comments whose thread has been resolved since. Notifications
 * about a workspace as a whole have none.
 */
export function pathOf(
  row: Pick<NotificationFacts, "reason" | "document_id" | "knowledge_base_id" | "comment_id" | "suggestion_id">,
): string | undefined {
  if (row.reason === "security") return "/account";
  if (row.document_id === "")
    return row.knowledge_base_id === null ? undefined : `/knowledge-bases/${row.knowledge_base_id}`;
  const at = row.comment_id ? `?comments=all#${row.comment_id}` : row.suggestion_id ? `#${row.suggestion_id}` : "";
  return `/documents/${row.document_id}${at}`;
}
