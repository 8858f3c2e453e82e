import type { Tx } from "../../db/database.ts";
import type { ShareRow } from "../../db/schema/tables/documents.ts";
import type { Services } from "../../services.ts";
import { lockDocument } from "../documents/queries.ts";
import { ensureShare, updateTokenHash } from "./queries.ts";
import { newNonce, shareToken, shareTokenHash, shownToken } from "./token.ts";

/** The document's link: the one it has, or a new one. */
export async function shareDocument(
  { secret }: Services,
  tx: Tx,
  { workspaceId, documentId, userId }: { workspaceId: string; documentId: string; userId: string },
): Promise<ShareRow> {
  await lockDocument(tx, workspaceId, documentId);
  const nonce = newNonce();
  const share = await ensureShare(tx, {
    workspace_id: workspaceId,
    document_id: documentId,
    nonce,
    token_hash: shareTokenHash(shareToken(secret.current, documentId, nonce)),
    created_by: userId,
    created_at: Date.now(),
  });
  // Made with a secret that is no longer known, the link is another one: the look-up follows what is shown.
  const hash = shareTokenHash(shownToken(secret, share));
  if (hash !== share.token_hash) await updateTokenHash(tx, share, hash);
  return share;
}
