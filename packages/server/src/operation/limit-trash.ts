import type { Reader, Tx } from "../db/database.ts";
import type { Services } from "../services.ts";

interface Kept {
  readonly workspace_id: string;
  readonly expires_at: number;
  /** The entry's share of the total. */
  readonly weight: number;
}

/**
 * Lets the oldest entries of a workspace's trash expire when it has more documents, or more bytes of files, than the
 * limit; the newest entry always stays. Returns the number of expired entries. The files of an entry expire with it or
 * after it (put-in-trash.ts runs first), so whatever can be restored has its files.
 */
export async function limitTrash({ database, config }: Pick<Services, "database" | "config">): Promise<number> {
  const { read } = database;
  const cuts = new Map<string, number>();
  for (const [rows, most] of [
    [await entriesBeyond(read, config.maxTrashDocuments), config.maxTrashDocuments],
    [await filesBeyond(read, config.maxStorageBytes), config.maxStorageBytes],
  ] as const)
    for (const [workspaceId, kept] of Map.groupBy(rows, (row) => row.workspace_id))
      cuts.set(workspaceId, Math.max(cuts.get(workspaceId) ?? 0, cutOf(kept, most)));
  let expired = 0;
  for (const [workspaceId, cut] of cuts)
    expired += await database.transaction((tx) => expireUpTo(tx, workspaceId, cut));
  return expired;
}

/** Given rows from the newest to the oldest, returns the expiry of the first one beyond the limit. */
function cutOf(rows: readonly Kept[], most: number): number {
  let sum = 0;
  for (const { expires_at, weight } of rows) {
    sum += weight;
    if (sum > most) return expires_at;
  }
  return 0;
}

/** The entries of workspaces with too many documents. */
async function entriesBeyond(db: Reader, most: number): Promise<Kept[]> {
  const full = db
    .selectFrom("trash")
    .select("workspace_id")
    .where("expires_at", ">", 0)
    .groupBy("workspace_id")
    .having((eb) => eb(eb.fn.sum<number>("document_count"), "+", eb.fn.countAll<number>()), ">", most);
  const rows = await db
    .selectFrom("trash")
    .select(["workspace_id", "expires_at", "document_count"])
    .where("workspace_id", "in", full)
    .where("expires_at", ">", 0)
    .orderBy("expires_at", "desc")
    .execute();
  return rows.map(({ document_count, ...row }) => ({ ...row, weight: document_count + 1 }));
}

/** The files in the trash of workspaces with too many bytes there. */
async function filesBeyond(db: Reader, most: number): Promise<Kept[]> {
  const full = db
    .selectFrom("attachments")
    .select("workspace_id")
    .where("expires_at", ">", 0)
    .groupBy("workspace_id")
    .having((eb) => eb.fn.sum<number>("size"), ">", most);
  const rows = await db
    .selectFrom("attachments")
    .select(["workspace_id", "expires_at", "size"])
    .where("workspace_id", "in", full)
    .where("expires_at", ">", 0)
    .orderBy("expires_at", "desc")
    .execute();
  return rows.map(({ size, expires_at, workspace_id }) => ({
    workspace_id,
    expires_at: expires_at ?? 0,
    weight: size,
  }));
}

async function expireUpTo(tx: Tx, workspaceId: string, cut: number): Promise<number> {
  const newest = await tx
    .selectFrom("trash")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", 0)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const expired = await tx
    .updateTable("trash")
    .set({ expires_at: 0 })
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", 0)
    .where("expires_at", "<=", cut)
    .where("id", "!=", newest?.id ?? "")
    .returning("id")
    .execute();
  // The oldest remaining entry determines which files nobody can restore any more.
  const oldest = await tx
    .selectFrom("trash")
    .select("expires_at")
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", 0)
    .orderBy("expires_at")
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("attachments")
    .set({ expires_at: 0 })
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", 0)
    .where("expires_at", "<", oldest?.expires_at ?? cut + 1)
    .execute();
  return expired.length;
}
