import { createHmac, timingSafeEqual } from "node:crypto";
import { type ServerSecret, validSecrets } from "../../../http/server-secret.ts";

/**
 * The mailed link contains more than the one shown to the owner: a proof for the address it was sent to. Whoever joins
 * with it can read mail at that address; using the owner's link proves nothing.
 */
const proofOf = (current: string, secret: string, email: string): string =>
  createHmac("sha256", current).update(`invitation:${secret}:${email}`).digest("base64url");

export const mailedLink = ({ current }: ServerSecret, secret: string, email: string): string =>
  `${secret}.${proofOf(current, secret, email)}`;

/** The invitation's secret, as shown to its owner. */
export const invitationSecret = (link: string): string => link.split(".")[0] ?? "";

export function isMailedTo(server: ServerSecret, link: string, email: string): boolean {
  const [secret = "", proof = ""] = link.split(".");
  const given = Buffer.from(proof);
  return validSecrets(server).some((current) => {
    const expected = Buffer.from(proofOf(current, secret, email));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
