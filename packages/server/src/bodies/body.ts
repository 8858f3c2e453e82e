import type { EditContext } from "@svc/document/blocks/context";
import { locate, type Path } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import type { Body, Node } from "@svc/document/types";
import { Cache } from "../cache/cache.ts";
import type { Config } from "../config.ts";
import type { Reader, Tx } from "../db/database.ts";
import type { DocumentType } from "../db/schema/tables/documents.ts";
import { newBlockId } from "../ids.ts";
import { joinJson } from "./joined-json.ts";
import { type Manifest, manifestOf, readManifest } from "./manifest.ts";
import type { Segment } from "./segment.ts";
import {
  type BodyState,
  COST_PER_CHARACTER,
  type DocumentKey,
  type FoundState,
  getBody,
  getBodyState,
  loadSegments,
  lockState,
  SegmentMissing,
  seqOf,
} from "./store.ts";

/** One state of a body: its segments, and as one list its top-level blocks. */
export class StoredBody {
  readonly version: string;
  readonly revision: number;
  readonly liveRevisions: number;
  readonly documentType: DocumentType;
  readonly segments: readonly Segment[];
  #blocks: readonly Node[] | undefined;
  #characters: number | undefined;
  #byteSize: number | undefined;
  /** Where a block was found last: an edit asks for the same one several times. */
  #found: { readonly id: string; readonly position: number } | undefined;

  /** `blocks` are those of the segments, where they are at hand as one list. */
  constructor(row: BodyState, segments: readonly Segment[], blocks?: readonly Node[]) {
    this.version = row.version;
    this.revision = row.revision;
    this.liveRevisions = row.live_revisions;
    this.documentType = row.document_type;
    this.segments = segments;
    this.#blocks = blocks;
  }

  /** The `seq` that a snapshot of this state has. */
  get seq(): number {
    return seqOf({ revision: this.revision, live_revisions: this.liveRevisions });
  }

  get blocks(): readonly Node[] {
    this.#blocks ??=
      this.segments.length === 1 ? defined(this.segments[0]).blocks : this.segments.flatMap((s) => s.blocks);
    return this.#blocks;
  }

  get body(): Body {
    return { type: "doc", content: this.blocks };
  }

  /** The same for one use, as of a segment. */
  readOnce(): Body {
    return { type: "doc", content: this.#blocks ?? this.segments.flatMap((segment) => segment.readBlocks()) };
  }

  get characters(): number {
    this.#characters ??= this.segments.reduce((sum, segment) => sum + segment.characters, 0);
    return this.#characters;
  }

  /** Of its segments as they are stored. */
  get byteSize(): number {
    this.#byteSize ??= this.segments.reduce((sum, segment) => sum + segment.byteSize, 0);
    return this.#byteSize;
  }

  /** The whole document as JSON, put together from stored text. */
  get json(): string {
    return joinJson(this.segments.map((segment) => segment.json));
  }

  /** Position of the top-level block that has or holds the id. */
  positionOf(id: string): number | undefined {
    if (this.#found?.id === id) return this.#found.position;
    let offset = 0;
    for (const segment of this.segments) {
      const position = segment.index.get(id);
      if (position !== undefined) {
        this.#found = { id, position: offset + position };
        return this.#found.position;
      }
      offset += segment.count;
    }
    return undefined;
  }

  /** Finds blocks by the segments' indexes: only the one top-level block is walked. */
  locate = (body: Body, id: string): Path | undefined => {
    if (body.content !== this.blocks) return locate(body, id);
    const position = this.positionOf(id);
    if (position === undefined) return undefined;
    const inner = locate({ type: "doc", content: [defined(this.blocks[position])] }, id);
    return inner && [position, ...inner.slice(1)];
  };

  editContext(config: Config): EditContext {
    return {
      newId: newBlockId,
      documentType: this.documentType,
      maxCharacters: config.maxDocumentCharacters,
      locate: this.locate,
      isTaken: (id) => this.segments.some((segment) => segment.index.has(id)),
    };
  }
}

/**
 * Bodies that were used lately. What a body holds follows from its version; which revision it is, does not. So one may
 * be cached before its transaction commits: only a reader that has read exactly that state from the store finds it.
 * Without a share of its own a body of 10,000 blocks is not too large: a value may take a quarter of all, 24 MiB by default.
 */
const BODIES = new Cache<StoredBody>("bodies");

export function cacheBody(body: StoredBody): void {
  const characters = body.segments.reduce((sum, segment) => sum + segment.json.length, 0);
  BODIES.put(body.version, body, characters * COST_PER_CHARACTER + 500);
}

/** From the cache, if the body is there in this very state. */
export function cachedBody({ version, revision, live_revisions, document_type }: BodyState): StoredBody | undefined {
  const body = BODIES.get(version);
  const isSame = body?.revision === revision && body.liveRevisions === live_revisions;
  return isSame && body.documentType === document_type ? body : undefined;
}

/** The body of a state; `keep` says whether it may be cached. */
async function loadBody(db: Reader, key: DocumentKey, state: WholeState, keep = true): Promise<StoredBody> {
  const cached = cachedBody(state);
  if (cached) return cached;
  const body = new StoredBody(state, await loadSegments(db, key, state.manifest, keep));
  if (keep) cacheBody(body);
  return body;
}

/** The current body, locked to the end of the transaction. */
export async function loadLocked(tx: Tx, key: DocumentKey): Promise<StoredBody> {
  return cachedBody(await lockState(tx, key)) ?? loadBody(tx, key, await getWhole(tx, key));
}

/** The current body, or the one of a state that was just read. */
export async function readBody(db: Reader, key: DocumentKey, found?: FoundState, keep = true): Promise<StoredBody> {
  const state = found ?? (await getBodyState(db, key));
  return cachedBody(state) ?? readCurrent(db, key, state, (body) => loadBody(db, key, body, keep));
}

/** What is read of a state that was just found; of a later one if a write in between has removed segments of it. */
export async function readCurrent<T>(
  db: Reader,
  key: DocumentKey,
  found: FoundState,
  read: (body: WholeState) => Promise<T>,
): Promise<T> {
  const { manifest } = found;
  for (let body = manifest === null ? await getWhole(db, key) : { ...found, manifest: readManifest(manifest) }; ; ) {
    try {
      return await read(body);
    } catch (error) {
      if (!(error instanceof SegmentMissing)) throw error;
      const now = await getWhole(db, key);
      if (now.version === body.version) throw error;
      body = now;
    }
  }
}

type WholeState = BodyState & { readonly manifest: Manifest };

async function getWhole(db: Reader, key: DocumentKey): Promise<WholeState> {
  const row = await getBody(db, key);
  return { ...row, manifest: manifestOf(row) };
}

/** The same for callers that need only a text of the body and cache that: caching the body, too, would evict others. */
export const readBodyOnce = (db: Reader, key: DocumentKey, state: FoundState): Promise<StoredBody> =>
  readBody(db, key, state, false);
