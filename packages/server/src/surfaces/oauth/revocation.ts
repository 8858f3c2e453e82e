import type { FastifyRequest } from "fastify";
import type { Tx } from "../../db/database.ts";
import { auditWords } from "../../domain/identity/accounts/audit-words.ts";
import { findGrant, lockRefreshToken } from "../../domain/identity/oauth/queries.ts";
import { findTokenByHash, revokeToken } from "../../domain/identity/tokens/queries.ts";
import { recordAudit } from "../../http/audit.ts";
import { hashSecret } from "../../http/callers/authenticate.ts";
import { clientOf } from "../../http/callers/caller.ts";
import type { Services } from "../../services.ts";

/** An answer without an envelope, as OAuth requires. */
interface OAuthAnswer {
  readonly status: number;
  readonly body: object;
}

/** Returns the token that a refresh token renews. */
async function refreshedToken(tx: Tx, refreshToken: string) {
  const grant = await lockRefreshToken(tx, hashSecret(refreshToken));
  return grant && { ...grant, id: grant.token_id };
}

/** Revokes a token for anyone who holds it (RFC 7009). An unknown or expired token counts as revoked. */
export async function revokeGiven(
  { database }: Pick<Services, "database">,
  request: FastifyRequest,
  form: URLSearchParams,
): Promise<OAuthAnswer> {
  const given = form.get("token");
  if (!given) return { status: 400, body: { error: "invalid_request", error_description: "token is missing." } };
  await database.transaction(async (tx) => {
    const token = (await findTokenByHash(tx, hashSecret(given))) ?? (await refreshedToken(tx, given));
    if (!token || token.revoked_at !== null) return;
    const grant = await findGrant(tx, token.id);
    const clientId = form.get("client_id");
    if (grant && clientId !== null && grant.client_id !== clientId) return;
    await revokeToken(tx, token.id, Date.now());
    const by = { workspaceId: token.workspace_id, userId: token.user_id, tokenId: token.id };
    const from = { id: request.id, path: "/oauth/revoke", client: clientOf(request.headers["user-agent"]) };
    const words = auditWords.tokenRevoked(token.holder, token.name, token.holder);
    await recordAudit(tx, by, from, { action: "revoke_token", status: 200, summary: words });
  });
  return { status: 200, body: {} };
}
