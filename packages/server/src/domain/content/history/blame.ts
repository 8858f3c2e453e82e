import { idOf } from "@svc/document/schema/node";
import type { StoredBody } from "../../../bodies/body.ts";
import { type Authorship, readAuthors } from "../../../bodies/history/segment-authors.ts";
import { getBodyState, readBodyOnce } from "../../../bodies/load-body.ts";
import { selectAuthors } from "../../../bodies/store.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { namesOf, showWriter } from "./schema.ts";

interface BlameOfBlock {
  readonly blockId: string;
  /** Undefined if nobody recorded it. */
  readonly author: Authorship | undefined;
}

interface Blame {
  readonly body: StoredBody;
  readonly blocks: readonly BlameOfBlock[];
}

/** Finds the person who last changed each top-level block of the current body. */
export async function readBlame(db: Reader, key: DocumentKey): Promise<Blame> {
  const body = await readBodyOnce(db, key, await getBodyState(db, key));
  const hashes = body.segments.map(({ hash }) => hash);
  const rows = hashes.length === 0 ? [] : await selectAuthors(db, { ...key, hashes });
  const texts = new Map(rows.map(({ hash, authors }) => [hash, authors]));
  const blocks = body.segments.flatMap((segment) => {
    const authors = readAuthors(texts.get(segment.hash) ?? null);
    return segment.readBlocks().map((block, position) => ({ blockId: idOf(block), author: authors[position] }));
  });
  return { body, blocks };
}

/** Blocks with the names of their authors. */
export async function showBlame(db: Reader, blocks: readonly BlameOfBlock[]) {
  const names = await namesOf(
    db,
    blocks.flatMap(({ author }) => author?.by ?? []),
  );
  return blocks.map(({ blockId, author }) => ({
    block_id: blockId,
    by: author ? showWriter(author.by, names) : null,
    at: author?.at ?? null,
    version: author?.version ?? null,
  }));
}
