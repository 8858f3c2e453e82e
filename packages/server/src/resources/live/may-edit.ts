import type { Reader } from "../../db/database.ts";
import type { Role } from "../../db/schema/tables/accounts.ts";
import { statement } from "../../db/statement/statement.ts";

const sessionByHash = statement<{ sessionHash: string }, { readonly user_id: string; readonly expires_at: number }>({
  select: "token_hash, user_id, expires_at",
  from: "sessions",
  key: { sessionHash: "token_hash" },
});

const membershipByKey = statement<{ workspaceId: string; userId: string }, { readonly role: Role }>({
  select: "workspace_id, user_id, role",
  from: "memberships",
  key: { workspaceId: "workspace_id", userId: "user_id" },
});

export interface Editor {
  readonly workspaceId: string;
  readonly sessionHash: string;
  readonly userId: string;
}

/** What a session may do with a workspace's documents now; undefined when it has ended. */
export async function rightOf(db: Reader, editor: Editor): Promise<"write" | "read" | "none" | undefined> {
  const session = await sessionByHash(db, editor);
  if (!session || session.expires_at <= Date.now()) return undefined;
  const membership = await membershipByKey(db, editor);
  if (!membership) return "none";
  return membership.role === "viewer" ? "read" : "write";
}
