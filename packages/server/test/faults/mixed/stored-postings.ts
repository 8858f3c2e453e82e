import { defined } from "@svc/document/defined";
import { fromUtf8 } from "@svc/search/segment/bytes";
import { unpackNumbers } from "@svc/search/segment/packed-numbers";
import { splitPages } from "@svc/search/segment/payload";
import { appendEntry, PostingList } from "@svc/search/segment/posting-list";
import { PageScanner } from "@svc/search/segment/segment-reader";
import { deadNumbers } from "@svc/search/segment/segment-view";
import type { SegmentRow } from "@svc/search/segment/store-port";
import { tokenize } from "@svc/search/text/tokenizer";
import type { Reader } from "@svc/server/db/database";
import { StoredIndex } from "@svc/server/views/search/read/stored-index";

/** For each term: the number of live blocks that contain it, and its count in all of them. */
type Tally = Map<string, { blocks: number; occurrences: number }>;

function add(tally: Tally, term: string, occurrences: number): void {
  const known = tally.get(term) ?? { blocks: 0, occurrences: 0 };
  tally.set(term, { blocks: known.blocks + 1, occurrences: known.occurrences + occurrences });
}

/** Counts the terms of the texts directly. */
export function tallyOf(texts: readonly string[]): Tally {
  const tally: Tally = new Map();
  for (const text of texts)
    for (const [term, tokens] of Map.groupBy(tokenize(text), (token) => token.term)) add(tally, term, tokens.length);
  return tally;
}

/** Counts the terms of the stored index; undefined while the background still works on it. */
export async function storedTally(db: Reader, workspaceId: string): Promise<Tally | undefined> {
  const index = new StoredIndex(db, workspaceId);
  if ((await index.readCounters()).hasBacklog || (await index.readHidden()).length > 0) return undefined;
  const rows = await index.readSegments();
  const parts = new Map(await Promise.all(rows.map(async (row) => [row.id, await index.readParts(row.id)] as const)));
  const dead = deadNumbers(rows, (id) => unpackNumbers(defined(parts.get(id)).tombstones));
  const tally: Tally = new Map();
  for (const [i, row] of rows.entries()) {
    const { payload } = defined(parts.get(row.id));
    const pages = payload ? pagesIn(payload) : await pagesOf(index, row);
    const isDead = new Set(dead[i]);
    for (const page of pages) addPage(tally, page, row.base, isDead);
  }
  return tally;
}

const pagesIn = (payload: Uint8Array): Uint8Array[] =>
  splitPages(payload).flatMap(({ kind, bytes }) => (kind === "terms" ? [bytes] : []));

const pagesOf = (index: StoredIndex, { id, termPages }: SegmentRow): Promise<Uint8Array[]> =>
  index.readPages(Array.from({ length: termPages }, (_, number) => ({ segment: id, kind: "terms" as const, number })));

function addPage(tally: Tally, page: Uint8Array, base: number, isDead: ReadonlySet<number>): void {
  const scanner = new PageScanner(page, base);
  while (scanner.next()) {
    const term = fromUtf8(scanner.term.subarray(0, scanner.termLength));
    const list = new PostingList(scanner.count);
    appendEntry(list, scanner.entry());
    for (const [i, number] of list.numbers.entries())
      if (!isDead.has(number)) add(tally, term, defined(list.frequencies[i]));
  }
}
