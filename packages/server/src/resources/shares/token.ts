import { createHash, createHmac, randomBytes } from "node:crypto";

export const newNonce = (): string => randomBytes(16).toString("base64url");

/**
 * The token of a share link. It is derived, not kept: its owner can be shown the link again, and who reads the
 * database alone cannot open it. Another server secret makes all links others.
 */
export const shareToken = (secret: string, documentId: string, nonce: string): string =>
  createHmac("sha256", secret).update(`share ${documentId} ${nonce}`).digest("base64url");

export const shareTokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");
