import { hash } from "node:crypto";
import type { Reader, Tx } from "../../../db/database.ts";
import type { WebhookRow } from "../../../db/schema/tables/events.ts";
import { notFound } from "../../../errors.ts";
import { topicOf } from "./topic.ts";

type Key = Pick<WebhookRow, "workspace_id" | "id">;

export const webhookVersion = ({ id, revision }: Pick<WebhookRow, "id" | "revision">): string =>
  `sha256:${hash("sha256", `${id} ${revision}`, "hex")}`;

const inWorkspace = (db: Reader, workspaceId: string) =>
  db.selectFrom("webhooks").selectAll().where("workspace_id", "=", workspaceId).where("deleted", "=", 0);

export async function getWebhook(db: Reader, workspaceId: string, id: string): Promise<WebhookRow> {
  const row = await inWorkspace(db, workspaceId).where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound("webhook", id);
  return row;
}

export const listWebhooks = (db: Reader, workspaceId: string, after: string, limit: number): Promise<WebhookRow[]> =>
  inWorkspace(db, workspaceId).where("id", ">", after).orderBy("id").limit(limit).execute();

/** Serializes the creation of webhooks in a workspace, so that they can be counted. */
export const lockWorkspace = (tx: Tx, workspaceId: string) => tx.lock("workspace", workspaceId, workspaceId);

export const insertWebhook = (tx: Tx, row: WebhookRow) => tx.insertInto("webhooks").values(row).execute();

/** Reads the webhook and locks it until the end of the transaction. */
export async function lockWebhook(tx: Tx, workspaceId: string, id: string): Promise<WebhookRow> {
  const row = await tx.lock("webhook", workspaceId, id);
  if (row?.deleted !== 0) throw notFound("webhook", id);
  return row;
}

/** Updates the webhook and gives it a new version. */
export const updateWebhook = (tx: Tx, key: Key, changes: Partial<WebhookRow>): Promise<WebhookRow> =>
  tx
    .updateTable("webhooks")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1), updated_at: Date.now() }))
    .where("workspace_id", "=", key.workspace_id)
    .where("id", "=", key.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Schedules the webhook as soon as this is committed. Its version stays the same. */
export async function wakeWebhook(tx: Tx, key: Key): Promise<void> {
  await tx
    .updateTable("webhooks")
    .set({ next_at: 0 })
    .where("workspace_id", "=", key.workspace_id)
    .where("id", "=", key.id)
    .execute();
  tx.announce(topicOf(key.workspace_id));
}
