import { createHmac, timingSafeEqual } from "node:crypto";
import { escapeHtml } from "@svc/document/html/escape";
import { type ServerSecret, validSecrets } from "../../../http/server-secret.ts";
import type { Services } from "../../../services.ts";

/** Shows that this server has put an address on a page below `path`, so that its route fetches no other. */
const proofWith = (secret: string, path: string, address: string): string =>
  createHmac("sha256", secret).update(`remote picture ${path} ${address}`).digest("base64url").slice(0, 22);

/** The address below `path` that shows a remote picture. */
export const remotePictureUrl = (secret: ServerSecret, path: string, address: string): string =>
  `${path}/pictures?address=${encodeURIComponent(address)}&proof=${proofWith(secret.current, path, address)}`;

export function isProven(secret: ServerSecret, path: string, address: string, proof: string): boolean {
  const given = Buffer.from(proof);
  return validSecrets(secret).some((one) => {
    const right = Buffer.from(proofWith(one, path, address));
    return right.length === given.length && timingSafeEqual(right, given);
  });
}

const HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
};

/**
 * The answer of the route of a remote picture: the picture, or a placeholder that names the host. Both are 200, so that
 * a lost picture is no error in the browser's console.
 */
export async function answerRemotePicture(
  app: Pick<Services, "remotePictures">,
  address: string,
  isAllowed: boolean,
  keeps: boolean,
) {
  const picture = isAllowed ? await app.remotePictures.read(address) : undefined;
  if (!picture) {
    const headers = { ...HEADERS, "cache-control": "no-store" };
    return { headers, raw: { contentType: "image/svg+xml", body: missingPicture(address) } };
  }
  const { contentType, size, stream } = picture;
  const headers = {
    ...HEADERS,
    "cache-control": keeps ? "private, max-age=86400" : "no-store",
    "content-disposition": contentType === "image/svg+xml" ? 'attachment; filename="picture.svg"' : "inline",
    "content-length": String(size),
  };
  return { headers, raw: { contentType, body: stream } };
}

/** Pixels that a letter takes at most, and those around the text. */
const [LETTER, AROUND] = [8, 24];

function missingPicture(address: string): string {
  const host = URL.parse(address)?.host ?? "";
  const text = host === "" ? "Picture not loaded" : `Picture from ${host} not loaded`;
  const width = text.length * LETTER + AROUND;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40" viewBox="0 0 ${width} 40"><rect width="${width}" height="40" rx="6" fill="#eee"/><text x="${width / 2}" y="25" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#444">${escapeHtml(text)}</text></svg>`;
}
