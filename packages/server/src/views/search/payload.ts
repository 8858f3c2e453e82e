import { ByteReader, ByteSink, fromUtf8 } from "./bytes.ts";
import type { EncodedPage, PageKind } from "./segment-format.ts";
import { PageScanner } from "./segment-reader.ts";

/** Segments of up to this many pages are kept as one value in their manifest row. */
export const payloadPages = 16;

export function packPages(pages: readonly EncodedPage[]): Uint8Array {
  const sink = new ByteSink(1024);
  for (const { kind, bytes } of pages) {
    sink.byte(kind === "terms" ? 0 : 1);
    sink.varint(bytes.length);
    sink.append(bytes);
  }
  return sink.take();
}

export function unpackPages(payload: Uint8Array): EncodedPage[] {
  const pages: EncodedPage[] = [];
  const reader = new ByteReader(payload);
  const counts = { terms: 0, positions: 0 };
  while (!reader.done) {
    const kind: PageKind = payload[reader.at++] === 0 ? "terms" : "positions";
    const length = reader.varint();
    const bytes = payload.subarray(reader.at, reader.at + length);
    reader.at += length;
    pages.push({ kind, number: counts[kind]++, bytes, firstTerm: kind === "terms" ? firstTermOf(bytes) : "" });
  }
  return pages;
}

export function firstTermOf(page: Uint8Array): string {
  const scanner = new PageScanner(page, 0);
  return scanner.next() ? fromUtf8(scanner.term.subarray(0, scanner.termLength)) : "";
}
