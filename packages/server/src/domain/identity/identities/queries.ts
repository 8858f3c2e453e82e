import type { Reader, Tx } from "../../../db/database.ts";
import type { ClaimedGroupRow, IdentityRow } from "../../../db/schema/tables/sign-in.ts";

export const findUserOfIdentity = (db: Reader, issuer: string, subject: string) =>
  db
    .selectFrom("identities as i")
    .innerJoin("users as u", "u.id", "i.user_id")
    .selectAll("u")
    .where("i.issuer", "=", issuer)
    .where("i.subject", "=", subject)
    .executeTakeFirst();

export const listIdentities = (db: Reader, userId: string) =>
  db.selectFrom("identities").selectAll().where("user_id", "=", userId).orderBy("created_at").execute();

export const insertIdentity = (tx: Tx, row: IdentityRow) => tx.insertInto("identities").values(row).execute();

export const deleteIdentitiesOf = (tx: Tx, userId: string) =>
  tx.deleteFrom("identities").where("user_id", "=", userId).execute();

/** Unlinks one provider's accounts from this account. */
export const deleteIdentities = (tx: Tx, userId: string, issuer: string) =>
  tx.deleteFrom("identities").where("user_id", "=", userId).where("issuer", "=", issuer).execute();

export const updateIdentityUse = (tx: Tx, issuer: string, subject: string, now: number) =>
  tx
    .updateTable("identities")
    .set({ last_used_at: now })
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();

/** Groups with one of these names in a person's workspaces. */
export const listNamedGroups = (db: Reader, userId: string, names: readonly string[]) =>
  db
    .selectFrom("member_groups as g")
    .innerJoin("memberships as m", "m.workspace_id", "g.workspace_id")
    .select(["g.workspace_id", "g.id", "g.name"])
    .where("m.user_id", "=", userId)
    .where("g.name", "in", names)
    .execute();

/** Existing groups that a provider's claim added the person to. */
export const listClaimedGroups = (db: Reader, userId: string, issuer: string) =>
  db
    .selectFrom("claimed_groups as c")
    .leftJoin("member_groups as g", (join) =>
      join.onRef("g.workspace_id", "=", "c.workspace_id").onRef("g.id", "=", "c.group_id"),
    )
    .select(["c.workspace_id", "c.group_id", "g.name"])
    .where("c.user_id", "=", userId)
    .where("c.issuer", "=", issuer)
    .execute();

export const isInGroup = async (db: Reader, workspaceId: string, groupId: string, userId: string): Promise<boolean> =>
  (await db
    .selectFrom("group_members")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("group_id", "=", groupId)
    .where("user_id", "=", userId)
    .executeTakeFirst()) !== undefined;

export const insertClaimedGroup = (tx: Tx, row: ClaimedGroupRow) =>
  tx
    .insertInto("claimed_groups")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteClaimedGroup = (tx: Tx, row: ClaimedGroupRow) =>
  tx
    .deleteFrom("claimed_groups")
    .where("workspace_id", "=", row.workspace_id)
    .where("group_id", "=", row.group_id)
    .where("user_id", "=", row.user_id)
    .where("issuer", "=", row.issuer)
    .execute();
