import { defined } from "@svc/document/defined";
import type { ExpressionBuilder } from "kysely";
import type { Reader, Tx } from "../../../db/database.ts";
import type { DocumentRow, ShareRow } from "../../../db/schema/tables/documents.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import type { ShareTarget } from "./target.ts";

type Shares = ExpressionBuilder<Tables, "public_shares">;

const isOf = (target: ShareTarget) => (eb: Shares) =>
  target.kind === "document" ? eb("document_id", "=", target.id) : eb("folder_id", "=", target.id);

/** An expired link counts as missing, although its row may exist. */
const isAlive = (now: number) => (eb: Shares) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]);

export const findShare = (db: Reader, workspaceId: string, target: ShareTarget): Promise<ShareRow | undefined> =>
  db
    .selectFrom("public_shares")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where(isOf(target))
    .where(isAlive(Date.now()))
    .executeTakeFirst();

/** Inserts a link unless one exists. */
export async function ensureShare(tx: Tx, row: ShareRow, target: ShareTarget): Promise<ShareRow> {
  await tx
    .deleteFrom("public_shares")
    .where("workspace_id", "=", row.workspace_id)
    .where(isOf(target))
    .where("expires_at", "<=", Date.now())
    .execute();
  await tx
    .insertInto("public_shares")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return defined(await findShare(tx, row.workspace_id, target));
}

export type ShareChange = Partial<Pick<ShareRow, "token_hash" | "password_hash" | "expires_at">>;

export const updateShare = (tx: Tx, { workspace_id, nonce }: ShareRow, change: ShareChange) =>
  tx
    .updateTable("public_shares")
    .set(change)
    .where("workspace_id", "=", workspace_id)
    .where("nonce", "=", nonce)
    .execute();

export async function deleteShare(tx: Tx, workspaceId: string, target: ShareTarget): Promise<boolean> {
  const share = await findShare(tx, workspaceId, target);
  await tx.deleteFrom("public_shares").where("workspace_id", "=", workspaceId).where(isOf(target)).execute();
  return share !== undefined;
}

/** Counts the active links to these targets. */
export async function countShares(
  db: Reader,
  workspaceId: string,
  documentIds: readonly string[],
  folderIds: readonly number[],
): Promise<number> {
  const targets = [
    ...[...batchesOf(documentIds)].map((ids) => (eb: Shares) => eb("document_id", "in", ids)),
    ...[...batchesOf(folderIds)].map((ids) => (eb: Shares) => eb("folder_id", "in", ids)),
  ];
  let links = 0;
  for (const isOneOf of targets) {
    const row = await db
      .selectFrom("public_shares")
      .select((eb) => eb.fn.countAll<number>().as("links"))
      .where("workspace_id", "=", workspaceId)
      .where(isOneOf)
      .where(isAlive(Date.now()))
      .executeTakeFirstOrThrow();
    links += Number(row.links);
  }
  return links;
}

/** Links are deleted with their document and not restored from the trash. */
export async function deleteSharesOf(tx: Tx, workspaceId: string, documents: readonly DocumentRow[]): Promise<void> {
  for (const some of batchesOf(documents.map((document) => document.id)))
    await tx
      .deleteFrom("public_shares")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", some)
      .execute();
}

/** Same for a folder's links. */
export async function deleteFolderShares(tx: Tx, workspaceId: string, folderIds: readonly number[]): Promise<void> {
  for (const some of batchesOf(folderIds))
    await tx
      .deleteFrom("public_shares")
      .where("workspace_id", "=", workspaceId)
      .where("folder_id", "in", some)
      .execute();
}

/** The folders among these that have a link. */
export async function listSharedFolders(
  db: Reader,
  workspaceId: string,
  folderIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const some of batchesOf(folderIds)) {
    const rows = await db
      .selectFrom("public_shares")
      .select("folder_id")
      .where("workspace_id", "=", workspaceId)
      .where("folder_id", "in", some)
      .where(isAlive(Date.now()))
      .execute();
    for (const row of rows) if (row.folder_id !== null) found.add(row.folder_id);
  }
  return found;
}

/** The link that a visitor's token opens. */
export const findOpenShare = (db: Reader, tokenHash: string): Promise<ShareRow | undefined> =>
  db
    .selectFrom("public_shares")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where(isAlive(Date.now()))
    .executeTakeFirst();

/** The links of a workspace or of a knowledge base with their targets, newest first. */
export function listShares(
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number | undefined,
  after: readonly (string | number)[],
  limit: number,
) {
  const rows = db
    .selectFrom("public_shares as s")
    .leftJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
    )
    .leftJoin("folders as f", (join) =>
      join.onRef("f.workspace_id", "=", "s.workspace_id").onRef("f.id", "=", "s.folder_id"),
    )
    .leftJoin("users as u", "u.id", "s.created_by")
    .selectAll("s")
    .select(["d.title", "f.name", "u.name as creator"])
    .select((eb) => eb.fn.coalesce("d.knowledge_base_id", "f.knowledge_base_id").as("knowledge_base_id"))
    .where("s.workspace_id", "=", workspaceId)
    .where((eb) => eb.or([eb("s.expires_at", "is", null), eb("s.expires_at", ">", Date.now())]));
  const [time, nonce] = after;
  return rows
    .$if(knowledgeBaseId !== undefined, (all) =>
      all.where((eb) =>
        eb(eb.fn.coalesce("d.knowledge_base_id", "f.knowledge_base_id"), "=", defined(knowledgeBaseId)),
      ),
    )
    .$if(time !== undefined, (all) =>
      all.where((eb) =>
        eb.or([
          eb("s.created_at", "<", Number(time)),
          eb.and([eb("s.created_at", "=", Number(time)), eb("s.nonce", "<", String(nonce))]),
        ]),
      ),
    )
    .orderBy("s.created_at", "desc")
    .orderBy("s.nonce", "desc")
    .limit(limit)
    .execute();
}
export type ListedShare = Awaited<ReturnType<typeof listShares>>[number];
