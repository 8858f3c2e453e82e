import type { BaseRole } from "@svc/server/db/schema/tables/rights";
import { replaceBaseRoles } from "@svc/server/domain/access/policy/queries";
import { renewRights } from "@svc/server/rights/renew-rights";
import type { Person, World } from "./world.ts";

/** Makes all knowledge bases of a workspace private, with a role for each of these people. */
export async function makePrivate(
  { app }: World,
  workspaceId: string,
  people: ReadonlyMap<BaseRole, Person> = new Map(),
): Promise<void> {
  const { database } = app.services;
  const bases = await database.read
    .selectFrom("knowledge_bases")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .execute();
  await database.transaction(async (tx) => {
    for (const { id } of bases) {
      const rows = [...people].map(([role, { userId }]) => ({
        workspace_id: workspaceId,
        subject_id: userId,
        knowledge_base_id: id,
        role,
      }));
      await replaceBaseRoles(tx, workspaceId, id, "none", rows);
    }
    await renewRights(tx, workspaceId);
  });
}
