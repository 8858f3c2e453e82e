import { createHash, createHmac, randomBytes } from "node:crypto";
import { defined } from "@svc/document/defined";
import type { ShareRow } from "../../db/schema/tables/documents.ts";
import { type ServerSecret, validSecrets } from "../../http/server-secret.ts";

export const newNonce = (): string => randomBytes(16).toString("base64url");

/**
 * The token of a share link. It is derived, not kept: its owner can be shown the link again, and who reads the
 * database alone cannot open it. Another server secret makes all links others.
 */
export const shareToken = (secret: string, documentId: string, nonce: string): string =>
  createHmac("sha256", secret).update(`share ${documentId} ${nonce}`).digest("base64url");

/** The link as its owner is shown it: the one that opens the page, though it was made with the previous secret. */
export function shownToken(
  secret: ServerSecret,
  { document_id, nonce, token_hash }: Pick<ShareRow, "document_id" | "nonce" | "token_hash">,
): string {
  const tokens = validSecrets(secret).map((one) => shareToken(one, document_id, nonce));
  return tokens.find((token) => shareTokenHash(token) === token_hash) ?? defined(tokens[0]);
}

export const shareTokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");
