import { createHmac, timingSafeEqual } from "node:crypto";
import { type ServerSecret, validSecrets } from "../../http/server-secret.ts";

/**
 * The link that is mailed has more than the one that the owner is shown: a proof for the address that it went to. So
 * whoever joins with it reads that address, and an owner who uses a link of their own has proven nothing.
 */
const proofOf = (current: string, secret: string, email: string): string =>
  createHmac("sha256", current).update(`invitation:${secret}:${email}`).digest("base64url");

export const mailedLink = ({ current }: ServerSecret, secret: string, email: string): string =>
  `${secret}.${proofOf(current, secret, email)}`;

/** The invitation's secret, as its owner knows it. */
export const invitationSecret = (link: string): string => link.split(".")[0] ?? "";

export function isMailedTo(server: ServerSecret, link: string, email: string): boolean {
  const [secret = "", proof = ""] = link.split(".");
  const given = Buffer.from(proof);
  return validSecrets(server).some((current) => {
    const expected = Buffer.from(proofOf(current, secret, email));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
