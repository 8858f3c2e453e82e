import type { Reader, Tx } from "../../../db/database.ts";
import type { Role, UserRow } from "../../../db/schema/tables/accounts.ts";

export const findUserByEmail = (db: Reader, email: string) =>
  db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();

export const findUserById = (db: Reader, id: string) =>
  db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();

export const findUserName = async (db: Reader, id: string): Promise<string | undefined> =>
  (await db.selectFrom("users").select("name").where("id", "=", id).executeTakeFirst())?.name;

export const countUsers = async (db: Reader): Promise<number> => {
  const row = await db
    .selectFrom("users")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

export const insertUser = (tx: Tx, user: Omit<UserRow, "disabled_at">) =>
  tx
    .insertInto("users")
    .values({ ...user, disabled_at: null })
    .execute();

export const updateUser = (tx: Tx, id: string, change: Partial<Omit<UserRow, "id">>) =>
  tx.updateTable("users").set(change).where("id", "=", id).execute();

/** Marks an address as verified; an earlier verification keeps its time. */
export const markVerified = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable("users")
    .set({ email_verified_at: now })
    .where("id", "=", id)
    .where("email_verified_at", "is", null)
    .execute();

export const deleteUser = (tx: Tx, id: string) => tx.deleteFrom("users").where("id", "=", id).execute();

export async function insertWorkspace(
  tx: Tx,
  workspace: { id: string; name: string; created_at: number },
): Promise<void> {
  await tx.insertInto("workspaces").values(workspace).execute();
  await tx
    .insertInto("workspace_counters")
    .values({
      workspace_id: workspace.id,
      knowledge_bases: 0,
      folders: 0,
      documents: 0,
      attachment_bytes: 0,
      last_event_id: 0,
    })
    .execute();
}

export const updateWorkspaceName = (tx: Tx, id: string, name: string) =>
  tx.updateTable("workspaces").set({ name }).where("id", "=", id).execute();

export const insertMembership = (
  tx: Tx,
  membership: { workspace_id: string; user_id: string; role: Role; created_at: number },
) => tx.insertInto("memberships").values(membership).execute();

/** Finds workspaces by id or name; several can share a name. */
export const findWorkspaces = (db: Reader, idOrName: string) =>
  db
    .selectFrom("workspaces")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", idOrName), eb("name", "=", idOrName)]))
    .execute();

/** A user's workspaces in the order in which they joined. */
export const listMemberships = (db: Reader, userId: string) =>
  db
    .selectFrom("memberships as m")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select(["w.id", "w.name", "w.rights_version", "m.role", "m.created_at"])
    .where("m.user_id", "=", userId)
    .orderBy("m.created_at")
    .orderBy("w.id")
    .execute();

/** Every user with their workspaces, oldest first. */
export async function listUsers(db: Reader) {
  const users = await db
    .selectFrom("users")
    .select(["id", "email", "name", "created_at", "disabled_at", "email_verified_at"])
    .orderBy("id")
    .execute();
  const memberships = await db
    .selectFrom("memberships as m")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select(["m.user_id", "w.id", "w.name", "m.role"])
    .orderBy("m.created_at")
    .execute();
  const byUser = Map.groupBy(memberships, (membership) => membership.user_id);
  return users.map((user) => ({
    ...user,
    workspaces: (byUser.get(user.id) ?? []).map(({ id, name, role }) => ({ id, name, role })),
  }));
}
