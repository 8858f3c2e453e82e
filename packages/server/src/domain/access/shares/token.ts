import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { defined } from "@svc/document/defined";
import type { ShareRow } from "../../../db/schema/tables/documents.ts";
import { type ServerSecret, validSecrets } from "../../../http/server-secret.ts";
import { nameOf, type ShareTarget, targetOf } from "./target.ts";

export const newNonce = (): string => randomBytes(16).toString("base64url");

/**
 * The token of a share link. It is derived, not stored: its owner can be shown the link again, and somebody who can
 * only read the database cannot open it. A new server secret changes all links.
 */
export const shareToken = (secret: string, target: ShareTarget, nonce: string): string =>
  createHmac("sha256", secret)
    .update(`share ${nameOf(target)} ${nonce}`)
    .digest("base64url");

/** The link shown to its owner: the one that opens the page, even if it was created with the previous secret. */
export function shownToken(
  secret: ServerSecret,
  share: Pick<ShareRow, "document_id" | "folder_id" | "nonce" | "token_hash">,
): string {
  const tokens = validSecrets(secret).map((one) => shareToken(one, targetOf(share), share.nonce));
  return tokens.find((token) => shareTokenHash(token) === share.token_hash) ?? defined(tokens[0]);
}

export const shareTokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The cookie of a browser that entered the link's password: valid for this link and this password only. */
export const passMark = (secret: ServerSecret, share: ShareRow): string => markWith(secret.current, share);

export function isPassMark(secret: ServerSecret, share: ShareRow, given: string | undefined): boolean {
  if (given === undefined) return false;
  return validSecrets(secret).some((one) => {
    const right = Buffer.from(markWith(one, share));
    const mark = Buffer.from(given);
    return mark.length === right.length && timingSafeEqual(mark, right);
  });
}

const markWith = (secret: string, { token_hash, password_hash }: ShareRow): string =>
  createHmac("sha256", secret).update(`share pass ${token_hash} ${password_hash}`).digest("base64url");
