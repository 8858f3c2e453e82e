import {
  type DocumentLayout,
  type LaidBlock,
  type PackedLayout,
  packLayout,
  unpackLayout,
} from "@svc/search/best/layout";
import { isPoorText, READ_CHARACTERS } from "@svc/search/best/poor-text";
import { sql } from "kysely";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import type { SearchBlockTable, SearchDocumentTable } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";
import { changesBetween } from "../read/changes-between.ts";
import { followsFromEvents, isSameState, type KnownState } from "./cached-blocks.ts";

type Numbers = { readonly workspaceId: string; readonly numbers: readonly number[] };
type BlockRow = Pick<SearchBlockTable, "number" | "document" | "block_id" | "section"> & {
  readonly beginning: string | null;
};

const blocksOf = statement<Numbers, BlockRow>(
  (db, value) =>
    db
      .selectFrom("search_blocks")
      .select(["number", "document", "block_id", "section"])
      .select(({ ref }) => sql<string | null>`substr(${ref("text")}, 1, ${sql.lit(READ_CHARACTERS)})`.as("beginning"))
      .where("workspace_id", "=", value("workspaceId"))
      .where("document", "in", value("numbers")),
  { list: "numbers" },
);

type OutlineRow = Pick<SearchDocumentTable, "number" | "document_id" | "outline">;

const outlinesOf = statement<Numbers, OutlineRow>(
  (db, value) =>
    db
      .selectFrom("search_documents")
      .select(["number", "document_id", "outline"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("number", "in", value("numbers")),
  { list: "numbers" },
);

type Known = { readonly documentId: string; readonly layout: PackedLayout };

/** Estimated bytes of a layout around its buffer. */
const OVERHEAD_BYTES = 350;
const bytesOf = ({ layout }: Known): number => OVERHEAD_BYTES + layout.buffer.byteLength;

/** The layouts of one state of a workspace. */
class LayoutsOfState {
  readonly state: KnownState;
  readonly known: Map<number, Known>;
  bytes: number;

  constructor(state: KnownState, known = new Map<number, Known>()) {
    this.state = state;
    this.known = known;
    this.bytes = known.values().reduce((sum, some) => sum + bytesOf(some), 0);
  }

  /** Adds a layout, and drops the oldest while there are more than fit. */
  add(number: number, layout: Known, most: number): void {
    if (this.known.has(number)) return;
    this.known.set(number, layout);
    this.bytes += bytesOf(layout);
    for (const [oldest, { layout: dropped, documentId }] of this.known) {
      if (this.bytes <= most) return;
      this.known.delete(oldest);
      this.bytes -= bytesOf({ layout: dropped, documentId });
    }
  }

  /** The same layouts in a later state, without those of changed documents. Readers of the old state keep theirs. */
  without(changed: ReadonlySet<string>, state: KnownState): LayoutsOfState {
    const kept = [...this.known].filter(([, { documentId }]) => !changed.has(documentId));
    return new LayoutsOfState(state, new Map(kept));
  }
}

/** After more changes than this, all layouts are read again. */
const MAX_CHANGES = 1000;

const LAYOUTS = new Cache<LayoutsOfState>("search_document_layouts");

/** More than the cache's key and entry take. */
const KEY_BYTES = 1024;

/** The sections of recently searched documents. The workspace's events show which of them have changed. */
export class LayoutCache {
  /** Identifies the database. */
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Returns a function that reads layouts in the state of the reader's snapshot. */
  async reader(db: Reader, workspaceId: string, state: KnownState) {
    const cached = await this.#at(db, workspaceId, state);
    return async (documents: readonly number[]): Promise<ReadonlyMap<number, DocumentLayout>> => {
      const missing = documents.filter((number) => !cached.known.has(number));
      const found = new Map<number, DocumentLayout>();
      for (const number of documents) {
        const known = cached.known.get(number);
        if (known) found.set(number, unpackLayout(known.layout));
      }
      if (missing.length === 0) return found;
      const most = LAYOUTS.largest - KEY_BYTES;
      for (const [number, known] of await readLayouts(db, workspaceId, missing)) {
        found.set(number, unpackLayout(known.layout));
        cached.add(number, known, most);
      }
      LAYOUTS.put(this.#key + workspaceId, cached, cached.bytes);
      return found;
    };
  }

  async #at(db: Reader, workspaceId: string, state: KnownState): Promise<LayoutsOfState> {
    const cached = LAYOUTS.get(this.#key + workspaceId);
    if (!cached) return new LayoutsOfState(state);
    if (isSameState(cached.state, state)) return cached;
    const changes =
      followsFromEvents(cached.state, state) &&
      (await changesBetween(db, workspaceId, cached.state.event, state.event, MAX_CHANGES));
    if (!changes) return new LayoutsOfState(state);
    return cached.without(new Set(changes.slice(1).map(({ documentId }) => documentId)), state);
  }
}

export async function readLayouts(
  db: Reader,
  workspaceId: string,
  numbers: readonly number[],
): Promise<Map<number, Known>> {
  const rows = await blocksOf(db, { workspaceId, numbers });
  const blocks = new Map<number, LaidBlock[]>();
  for (const { number, document, block_id: blockId, section, beginning } of rows) {
    const isPoor = beginning !== null && isPoorText(beginning);
    const block = { number, blockId, section: section ?? "", isPoor };
    const others = blocks.get(document);
    if (others) others.push(block);
    else blocks.set(document, [block]);
  }
  const layouts = new Map<number, Known>();
  for (const { number, document_id: documentId, outline } of await outlinesOf(db, { workspaceId, numbers })) {
    const laid = (blocks.get(number) ?? []).sort((a, b) => a.number - b.number);
    layouts.set(number, { documentId, layout: packLayout(laid, outline === null ? [] : JSON.parse(outline)) });
  }
  return layouts;
}
