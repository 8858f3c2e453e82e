import type { Reader } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { Role } from "../../db/schema/tables/accounts.ts";
import { statement } from "../../db/statement/statement.ts";
import { loadRoles } from "../../rights/load-rights.ts";
import { reaches, roleIn } from "../../rights/rights.ts";
import type { Editor } from "../../services/live-documents.ts";
import { findDocument } from "../library/documents/queries.ts";

const sessionByHash = statement<{ sessionHash: string }, { readonly user_id: string; readonly expires_at: number }>({
  select: "token_hash, user_id, expires_at",
  from: "sessions",
  key: { sessionHash: "token_hash" },
});

const membershipByKey = statement<
  { workspaceId: string; userId: string },
  { readonly role: Role; readonly rights_version: number }
>({
  select: "m.workspace_id, m.user_id, m.role, w.rights_version",
  from: "memberships m join workspaces w on w.id = m.workspace_id",
  key: { workspaceId: "m.workspace_id", userId: "m.user_id" },
});

/** A session's current right to a document; undefined if the session has ended. */
export async function rightOf(
  db: Reader,
  { workspaceId, sessionHash, userId }: Editor,
  { documentId }: DocumentKey,
): Promise<"write" | "read" | "none" | undefined> {
  const session = await sessionByHash(db, { sessionHash });
  if (!session || session.expires_at <= Date.now()) return undefined;
  const membership = await membershipByKey(db, { workspaceId, userId });
  if (!membership) return "none";
  const { role, rights_version: rightsVersion } = membership;
  const rights = await loadRoles(db, { workspaceId, userId, role, rightsVersion, boundTo: null });
  const document = rights && (await findDocument(db, workspaceId, documentId));
  // A deleted document is noticed when it is opened.
  const here = document ? roleIn({ role, rights }, document.knowledge_base_id) : role;
  if (here === "none") return "none";
  return reaches(here, "editor") ? "write" : "read";
}
