import { ByteReader, ByteSink, fromUtf8 } from "./bytes.ts";
import type { EncodedPage, PageKind } from "./segment-format.ts";
import { PageScanner } from "./segment-reader.ts";

/** Segments of up to this many pages are stored as one value in their manifest row. */
export const PAYLOAD_PAGES = 16;

/** Space for a page's length in the payload, and its kind. */
const HEAD_ROOM = 8;

export function packPages(pages: readonly EncodedPage[]): Uint8Array {
  const sink = new ByteSink(pages.reduce((sum, { bytes }) => sum + bytes.length + HEAD_ROOM, HEAD_ROOM));
  for (const { kind, bytes } of pages) {
    sink.byte(kind === "terms" ? 0 : 1);
    sink.varint(bytes.length);
    sink.append(bytes);
  }
  return sink.bytes.subarray(0, sink.length);
}

/** The pages of a payload, without their entries in the directory. */
export function splitPages(payload: Uint8Array): Omit<EncodedPage, "firstTerm">[] {
  const pages: Omit<EncodedPage, "firstTerm">[] = [];
  const reader = new ByteReader(payload);
  const counts = { terms: 0, positions: 0 };
  while (!reader.done) {
    const kind: PageKind = payload[reader.at++] === 0 ? "terms" : "positions";
    const length = reader.varint();
    pages.push({ kind, number: counts[kind]++, bytes: payload.subarray(reader.at, reader.at + length) });
    reader.at += length;
  }
  return pages;
}

export const unpackPages = (payload: Uint8Array): EncodedPage[] =>
  splitPages(payload).map((page) => ({ ...page, firstTerm: page.kind === "terms" ? firstTermOf(page.bytes) : "" }));

export function firstTermOf(page: Uint8Array): string {
  const scanner = new PageScanner(page, 0);
  return scanner.next() ? fromUtf8(scanner.term.subarray(0, scanner.termLength)) : "";
}
