import type { BlockPlaces } from "@svc/document/diff";
import { idOf } from "@svc/document/schema/node";
import { Cache } from "../../cache/cache.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import { mapInTurns } from "../../db/transaction/yield-to-writers.ts";
import type { StoredBody } from "../body.ts";
import type { Segment } from "../segment.ts";
import { selectAuthors } from "../store.ts";
import type { Writer } from "./writer.ts";

/** The last change of a block. */
export interface Authorship {
  readonly by: Writer;
  readonly at: number;
  /** The version of the body that the change made. */
  readonly version: string;
}

/** The authors of a segment's blocks: each once, and runs of `[index, number of blocks]`. */
interface StoredAuthors {
  readonly authors: readonly Authorship[];
  readonly runs: readonly (readonly [author: number, count: number])[];
}

const UNKNOWN = undefined;
type Author = Authorship | typeof UNKNOWN;

/** Serialises the authors of a segment's blocks in order; null if none is known. */
function writeAuthors(blocks: readonly Author[]): string | null {
  const authors: Authorship[] = [];
  const runs: [number, number][] = [];
  const known = new Map<string, number>();
  let previous: Author;
  for (const author of blocks) {
    const last = runs.at(-1);
    if (last && author === previous) {
      last[1]++;
      continue;
    }
    previous = author;
    const index = author ? indexOf(author, authors, known) : -1;
    if (last?.[0] === index) last[1]++;
    else runs.push([index, 1]);
  }
  return authors.length === 0 ? null : JSON.stringify({ authors, runs } satisfies StoredAuthors);
}

function indexOf(author: Authorship, authors: Authorship[], known: Map<string, number>): number {
  const text = JSON.stringify(author);
  const found = known.get(text);
  if (found !== undefined) return found;
  known.set(text, authors.length);
  return authors.push(author) - 1;
}

/** The authors of a segment's blocks in order; undefined for blocks older than this record. */
export function readAuthors(text: string | null): readonly Author[] {
  if (text === null) return [];
  const { authors, runs }: StoredAuthors = JSON.parse(text);
  return runs.flatMap(([author, count]) => new Array<Author>(count).fill(authors[author]));
}

/** The authors of a new body's segment: one for all blocks. */
export const authorsOfNew = ({ count }: Pick<Segment, "count">, author: Authorship): string =>
  JSON.stringify({ authors: [author], runs: [[0, count]] } satisfies StoredAuthors);

/** The authors of segments by hash, for the state of a body that this process stored last. */
interface KnownAuthors {
  readonly revision: number;
  readonly version: string;
  readonly texts: ReadonlyMap<string, string | null>;
}

const KNOWN = new Cache<KnownAuthors>("segment_authors", { share: 1 / 16 });
const MAX_KNOWN = 64;
/** More segments than a small edit adds. */
const MANY_SEGMENTS = 32;

interface Change {
  readonly before: StoredBody;
  readonly after: StoredBody;
  readonly added: readonly Segment[];
  readonly dropped: readonly Segment[];
  readonly changes: readonly BlockPlaces[];
  readonly authorOf: (blockId: string) => Authorship;
}

/** The authors of the segments that a change adds: its own for the blocks it changed, those before it for the others. */
export async function authorsAfter(
  tx: Tx,
  key: DocumentKey,
  change: Change,
): Promise<ReadonlyMap<string, string | null>> {
  const { before, after, added, dropped, changes, authorOf } = change;
  const changed = new Set(changes.filter(({ change_type: type }) => type !== "moved").map(({ block_id: id }) => id));
  const isNew = added.every(({ blocks }) => blocks.every((block) => changed.has(idOf(block))));
  const earlier = isNew ? new Map<string, Author>() : await authorsById(tx, key, before, dropped);
  const textOf = ({ hash, blocks }: Segment) => {
    const authors = blocks.map((block) =>
      changed.has(idOf(block)) ? authorOf(idOf(block)) : earlier.get(idOf(block)),
    );
    return [hash, writeAuthors(authors)] as const;
  };
  const texts = new Map(added.length > MANY_SEGMENTS ? await mapInTurns(added, textOf) : added.map(textOf));
  tx.afterCommit(() => remember(key, before, after, texts));
  return texts;
}

/** The authors of the blocks of some segments of a body. */
async function authorsById(
  tx: Tx,
  key: DocumentKey,
  body: StoredBody,
  segments: readonly Segment[],
): Promise<ReadonlyMap<string, Author>> {
  const known = knownFor(key, body);
  const missing = segments.filter(({ hash }) => known?.get(hash) === undefined).map(({ hash }) => hash);
  const rows = missing.length === 0 ? [] : await selectAuthors(tx, { ...key, hashes: missing });
  const found = new Map(rows.map(({ hash, authors }) => [hash, authors]));
  return new Map(
    segments.flatMap(({ hash, blocks }) => {
      const authors = readAuthors(known?.get(hash) ?? found.get(hash) ?? null);
      return blocks.map((block, position) => [idOf(block), authors[position]] as const);
    }),
  );
}

function knownFor({ documentId }: DocumentKey, body: StoredBody): KnownAuthors["texts"] | undefined {
  const known = KNOWN.get(documentId);
  return known?.revision === body.revision && known.version === body.version ? known.texts : undefined;
}

/** Bytes of a text in the cache beside its characters. */
const ENTRY_COST = 100;

function remember(key: DocumentKey, before: StoredBody, after: StoredBody, texts: KnownAuthors["texts"]): void {
  const all = [...(knownFor(key, before) ?? []), ...texts].slice(-MAX_KNOWN);
  const bytes = all.reduce((sum, [hash, text]) => sum + hash.length + (text?.length ?? 0) + ENTRY_COST, 0);
  KNOWN.put(key.documentId, { revision: after.revision, version: after.version, texts: new Map(all) }, bytes);
}
