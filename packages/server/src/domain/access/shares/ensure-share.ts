import type { Tx } from "../../../db/database.ts";
import type { ShareRow } from "../../../db/schema/tables/documents.ts";
import { notFound } from "../../../errors.ts";
import type { Services } from "../../../services.ts";
import { lockDocument } from "../../library/documents/queries.ts";
import { ensureShare, type ShareChange, updateShare } from "./queries.ts";
import { columnsOf, type ShareTarget } from "./target.ts";
import { newNonce, shareToken, shareTokenHash, shownToken } from "./token.ts";

/** Locks the shared target, so that it cannot be deleted while its link is created. */
export async function lockTarget(tx: Tx, workspaceId: string, target: ShareTarget): Promise<void> {
  if (target.kind === "document") await lockDocument(tx, workspaceId, target.id);
  else if (!(await tx.lock("folder", workspaceId, target.id))) throw notFound("folder", target.id);
}

/** The link of a document or folder: the existing one, or a new one, updated with the requested changes. */
export async function shareTarget(
  { secret }: Pick<Services, "secret">,
  tx: Tx,
  { workspaceId, userId, target }: { workspaceId: string; userId: string; target: ShareTarget },
  wanted: ShareChange,
): Promise<ShareRow> {
  await lockTarget(tx, workspaceId, target);
  const nonce = newNonce();
  const made: ShareRow = {
    workspace_id: workspaceId,
    nonce,
    ...columnsOf(target),
    token_hash: shareTokenHash(shareToken(secret.current, target, nonce)),
    password_hash: null,
    expires_at: null,
    created_by: userId,
    created_at: Date.now(),
  };
  const share = await ensureShare(tx, made, target);
  // If the previous secret is no longer known, the link changes: the stored hash must match the link that is shown.
  const change = { ...wanted, token_hash: shareTokenHash(shownToken(secret, share)) };
  await updateShare(tx, share, change);
  return { ...share, ...change };
}
