import { isUtf8 } from "node:buffer";
import type { PageCollector } from "../page-collector.ts";

/** Names of files that are text in an older encoding than Unicode. */
const TEXT_NAME = /\.(?:txt|text|csv|tsv|log|md|markdown|rst|adoc|ini|conf|srt|vtt|json|xml|ya?ml|html?|xhtml)$/i;
/** Bytes that no text file has. */
const hasBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 64 * 1024).some((byte) => byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));

/** Decodes a text file: UTF-8, UTF-16 with its mark, or, if its name says that it is text, Windows-1252. */
export function decodedText(bytes: Uint8Array, fileName: string): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (hasBinary(bytes)) return undefined;
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  return TEXT_NAME.test(fileName) ? new TextDecoder("windows-1252").decode(bytes) : undefined;
}

export function readPlain(text: string, pages: PageCollector): void {
  for (let at = 0; at < text.length && !pages.isFull; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    // A file may be one long line.
    for (let from = at; from < next; from += LONG_LINE)
      pages.addToPart(text.slice(from, Math.min(next, from + LONG_LINE)));
    at = next;
  }
  pages.endPart();
}

const LONG_LINE = 4000;
