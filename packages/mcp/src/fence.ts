import { randomBytes } from "node:crypto";

/**
 * Text that came out of documents, between two lines with a mark that it cannot contain: the mark is random, new for
 * each answer, and chosen again should the text have it. So whatever a document says, it cannot end its own fence.
 */
export function fenced(text: string): string {
  let mark: string;
  do mark = randomBytes(4).toString("hex");
  while (text.includes(mark));
  return `<<${mark}\n${text}\n${mark}>>`;
}
