import { hash } from "node:crypto";

const sha256 = (text: string): string => `sha256:${hash("sha256", text, "hex")}`;

/** The source version of a folder or knowledge base: one changed, added or removed document changes it. */
export const groupVersion = (documents: readonly { readonly id: string; readonly version: string }[]): string =>
  sha256(documents.map(({ id, version }) => `${id} ${version}`).join("\n"));

/** The version of a summary itself: its ETag. A save that changes anything gives another. */
export const summaryVersion = (summary: {
  readonly text: string;
  readonly generator: string;
  readonly sourceVersion: string;
  readonly pinned: boolean;
  readonly revision: number;
}): string =>
  sha256(JSON.stringify([summary.text, summary.generator, summary.sourceVersion, summary.pinned, summary.revision]));

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The id of the summary of something, the same whether or not it has been stored yet. */
export function summaryId(...parts: readonly string[]): string {
  const bytes = hash("sha256", parts.join("\0"), "buffer");
  return `sum_${[...bytes.subarray(0, 26)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}
