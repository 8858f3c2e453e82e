import { hash } from "node:crypto";

const sha256 = (text: string): string => `sha256:${hash("sha256", text, "hex")}`;

/** The source version of a folder or knowledge base: changes when a document is changed, added or removed. */
export const groupVersion = (documents: readonly { readonly id: string; readonly version: string }[]): string =>
  sha256(documents.map(({ id, version }) => `${id} ${version}`).join("\n"));

/** A summary's own version, used as ETag. Every save that changes something yields another. */
export const summaryVersion = (summary: {
  readonly text: string;
  readonly generator: string;
  readonly sourceVersion: string;
  readonly pinned: boolean;
  readonly revision: number;
}): string =>
  sha256(JSON.stringify([summary.text, summary.generator, summary.sourceVersion, summary.pinned, summary.revision]));

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The id of a subject's summary, the same before and after it is stored. */
export function summaryId(...parts: readonly string[]): string {
  const bytes = hash("sha256", parts.join("\0"), "buffer");
  return `sum_${[...bytes.subarray(0, 26)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}
