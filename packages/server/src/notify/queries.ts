import type { ExpressionBuilder, Nullable } from "kysely";
import type { Reader, Tx } from "../db/database.ts";
import type { CommentRow, NotificationRow, NotificationSettingsRow, WatchRow } from "../db/schema/tables/discussion.ts";
import { notFound } from "../errors.ts";

type Person = Pick<NotificationRow, "workspace_id" | "user_id">;

/** The maximum of a person's stored notifications; the oldest are deleted first. */
const MAX_KEPT = 1000;

export async function insertNotification(tx: Tx, row: NotificationRow): Promise<void> {
  await tx.insertInto("notifications").values(row).execute();
  const oldest = await tx
    .selectFrom("notifications")
    .select("id")
    .where("workspace_id", "=", row.workspace_id)
    .where("user_id", "=", row.user_id)
    .orderBy("id", "desc")
    .offset(MAX_KEPT)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await tx
    .deleteFrom("notifications")
    .where("workspace_id", "=", row.workspace_id)
    .where("user_id", "=", row.user_id)
    .where("id", "<=", oldest.id)
    .execute();
}

/** Whether the comment that a notification quotes still exists: `n` are notifications, `c` their comments. */
export const quotesNothingDeleted = (
  eb: ExpressionBuilder<{ n: NotificationRow; c: Nullable<CommentRow> }, "n" | "c">,
) => eb.or([eb("n.comment_id", "is", null), eb.and([eb("c.id", "is not", null), eb("c.deleted_at", "is", null)])]);

/** Unread ones first, the newest of each first. `after` is the end of the previous page. */
export const listNotifications = (
  db: Reader,
  { workspace_id, user_id }: Person,
  after: { readonly isRead: boolean; readonly id: string } | undefined,
  limit: number,
  isUnreadOnly = false,
) =>
  db
    .selectFrom("notifications as n")
    .leftJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "n.workspace_id").onRef("d.id", "=", "n.document_id"),
    )
    .leftJoin("knowledge_bases as k", (join) =>
      join.onRef("k.workspace_id", "=", "n.workspace_id").onRef("k.id", "=", "n.knowledge_base_id"),
    )
    .leftJoin("comments as c", (join) =>
      join.onRef("c.workspace_id", "=", "n.workspace_id").onRef("c.id", "=", "n.comment_id"),
    )
    .selectAll("n")
    .select(["d.title as document_title", "k.name as knowledge_base_name"])
    .where("n.workspace_id", "=", workspace_id)
    .where("n.user_id", "=", user_id)
    .where("n.in_page", "=", 1)
    // Leaves out notifications about a deleted document or knowledge base, or one that is hidden from this reader.
    .where((eb) =>
      eb.or([
        eb("d.id", "is not", null),
        eb.and([
          eb("n.document_id", "=", ""),
          eb.or([eb("n.knowledge_base_id", "is", null), eb("k.id", "is not", null)]),
        ]),
      ]),
    )
    .where(quotesNothingDeleted)
    .$if(isUnreadOnly, (rows) => rows.where("n.read_at", "is", null))
    .$if(after?.isRead === true, (rows) => rows.where("n.read_at", "is not", null).where("n.id", "<", after?.id ?? ""))
    .$if(after?.isRead === false, (rows) =>
      rows.where((eb) =>
        eb.or([
          eb("n.read_at", "is not", null),
          eb.and([eb("n.read_at", "is", null), eb("n.id", "<", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy((eb) => eb.case().when("n.read_at", "is", null).then(0).else(1).end())
    .orderBy("n.id", "desc")
    .limit(limit)
    .execute();

export type ListedNotification = Awaited<ReturnType<typeof listNotifications>>[number];

/** The unread notifications that this reader sees: the named ones (404 if one does not exist), or all up to a time. */
export async function listUnread(
  db: Reader,
  person: Person,
  { ids, before }: { readonly ids?: readonly string[] | undefined; readonly before?: number | undefined },
): Promise<string[]> {
  const rows = await listNotifications(db, person, undefined, MAX_KEPT, ids === undefined);
  const missing = ids?.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw notFound("notification", missing);
  const isMeant = (row: NotificationRow) => (ids ? ids.includes(row.id) : row.created_at <= (before ?? 0));
  return rows.filter((row) => row.read_at === null && isMeant(row)).map(({ id }) => id);
}

/** Marks these as read; returns how many were unread. */
export async function markRead(
  tx: Tx,
  { workspace_id, user_id }: Person,
  ids: readonly string[],
  now: number,
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await tx
    .updateTable("notifications")
    .set({ read_at: now })
    .where("workspace_id", "=", workspace_id)
    .where("user_id", "=", user_id)
    .where("read_at", "is", null)
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return rows.length;
}

/** Counts a person's unread notifications, up to `most`. */
export async function countUnread(db: Reader, person: Person, most: number): Promise<number> {
  return (await listNotifications(db, person, undefined, most, true)).length;
}

export const findNotification = (db: Reader, { workspace_id, user_id }: Person, id: string) =>
  db
    .selectFrom("notifications")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("user_id", "=", user_id)
    .where("id", "=", id)
    .executeTakeFirst();

/** An unread one already announces the change. */
export async function hasUnreadWatch(db: Reader, { workspace_id, user_id }: Person, documentId: string) {
  const row = await db
    .selectFrom("notifications")
    .select("id")
    .where("workspace_id", "=", workspace_id)
    .where("user_id", "=", user_id)
    .where("document_id", "=", documentId)
    .where("reason", "=", "watch")
    .where("read_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export const findSettings = (db: Reader, { workspace_id, user_id }: Person) =>
  db
    .selectFrom("notification_settings")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("user_id", "=", user_id)
    .executeTakeFirst();

/** The settings of these people; those without any are left out. */
export async function listSettings(
  db: Reader,
  workspaceId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, NotificationSettingsRow>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("notification_settings")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "in", userIds)
    .execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

export const putSettings = (tx: Tx, row: NotificationSettingsRow) =>
  tx
    .insertInto("notification_settings")
    .values(row)
    .onConflict((conflict) => {
      const { workspace_id: _, user_id: __, ...changes } = row;
      return conflict.columns(["workspace_id", "user_id"]).doUpdateSet(changes);
    })
    .execute();

type Target = Pick<WatchRow, "workspace_id" | "kind" | "target_id">;

export const insertWatch = (tx: Tx, row: WatchRow) =>
  tx
    .insertInto("watches")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const findWatch = (db: Reader, { workspace_id, kind, target_id }: Target, userId: string) =>
  db
    .selectFrom("watches")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("kind", "=", kind)
    .where("target_id", "=", target_id)
    .where("user_id", "=", userId)
    .executeTakeFirst();

export const deleteWatch = (tx: Tx, { workspace_id, kind, target_id }: Target, userId: string) =>
  tx
    .deleteFrom("watches")
    .where("workspace_id", "=", workspace_id)
    .where("kind", "=", kind)
    .where("target_id", "=", target_id)
    .where("user_id", "=", userId)
    .execute();

/** Deletes the notifications about a deleted knowledge base, because their links no longer work. */
export const deleteNotificationsOfBase = (tx: Tx, workspaceId: string, knowledgeBaseId: number) =>
  tx
    .deleteFrom("notifications")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .execute();

/** Deletes the watches on deleted folders or knowledge bases. */
export const deleteWatchesOf = (
  tx: Tx,
  workspaceId: string,
  kind: "folder" | "knowledge_base",
  ids: readonly number[],
) =>
  tx
    .deleteFrom("watches")
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", kind)
    .where("target_id", "in", ids.map(String))
    .execute();

/** The people who watch one of these targets. */
export async function listWatchers(db: Reader, workspaceId: string, targets: readonly Omit<Target, "workspace_id">[]) {
  const rows = await db
    .selectFrom("watches")
    .select(["user_id", "kind", "target_id"])
    .where("workspace_id", "=", workspaceId)
    .where("kind", "in", [...new Set(targets.map(({ kind }) => kind))])
    .where("target_id", "in", [...new Set(targets.map(({ target_id }) => target_id))])
    .execute();
  // A folder and a knowledge base may have the same id.
  const isMeant = (row: Omit<Target, "workspace_id">) =>
    targets.some(({ kind, target_id }) => kind === row.kind && target_id === row.target_id);
  return rows.filter(isMeant).map(({ user_id }) => user_id);
}

/** Ids of a folder and of those above it. */
export async function listFoldersAbove(db: Reader, workspaceId: string, folderId: number | null): Promise<number[]> {
  const ids: number[] = [];
  for (let id = folderId; id !== null && !ids.includes(id); ) {
    ids.push(id);
    const row = await db
      .selectFrom("folders")
      .select("parent_id")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst();
    id = row?.parent_id ?? null;
  }
  return ids;
}

/** Includes the address to which copies of their notifications were sent. */
export const deleteSettingsOf = (tx: Tx, userId: string) =>
  tx.deleteFrom("notification_settings").where("user_id", "=", userId).execute();

/** Deletes all notification data of a deleted person. */
export async function deleteNotificationsOf(tx: Tx, userId: string): Promise<void> {
  for (const table of ["notifications", "notification_settings", "watches"] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
}
