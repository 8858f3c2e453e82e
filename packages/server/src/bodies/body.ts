import type { EditContext } from "@svc/document/blocks/context";
import { locate, type Path } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import type { Body, Node } from "@svc/document/types";
import type { Config } from "../config.ts";
import type { BodyRow } from "../db/schema/tables/bodies.ts";
import type { DocumentType } from "../db/schema/tables/documents.ts";
import { mapInTurns } from "../db/transaction/yield-to-writers.ts";
import { newBlockId } from "../ids.ts";
import { joinJson } from "./joined-json.ts";
import type { Segment } from "./segment.ts";

/** The state of a body, without its manifest. */
export type BodyState = Readonly<Pick<BodyRow, "version" | "revision" | "live_revisions" | "document_type">>;

/** The `seq` of a state: counts those that API writes made, because each of them left a snapshot. */
export const seqOf = ({ revision, live_revisions }: Pick<BodyRow, "revision" | "live_revisions">): number =>
  revision - live_revisions;

/** One state of a body: its segments, and its top-level blocks as one list. */
export class StoredBody {
  readonly version: string;
  readonly revision: number;
  readonly liveRevisions: number;
  readonly documentType: DocumentType;
  readonly segments: readonly Segment[];
  #blocks: readonly Node[] | undefined;
  #characters: number | undefined;
  #byteSize: number | undefined;
  /** The last block that was looked up: an edit asks for the same one several times. */
  #found: { readonly id: string; readonly position: number } | undefined;

  /** `blocks` are those of the segments, if they are already available as one list. */
  constructor(row: BodyState, segments: readonly Segment[], blocks?: readonly Node[]) {
    this.version = row.version;
    this.revision = row.revision;
    this.liveRevisions = row.live_revisions;
    this.documentType = row.document_type;
    this.segments = segments;
    this.#blocks = blocks;
  }

  /** The `seq` of a snapshot of this state. */
  get seq(): number {
    return seqOf({ revision: this.revision, live_revisions: this.liveRevisions });
  }

  get blocks(): readonly Node[] {
    this.#blocks ??=
      this.segments.length === 1 ? defined(this.segments[0]).blocks : this.segments.flatMap((s) => s.blocks);
    return this.#blocks;
  }

  /** Parses the segments that are not parsed yet, beside other requests. */
  async parseInTurns(): Promise<void> {
    if (!this.#blocks) await mapInTurns(this.segments, (segment) => segment.blocks);
  }

  get body(): Body {
    return { type: "doc", content: this.blocks };
  }

  /** Reads the body for one use, without caching the blocks of its segments. */
  readOnce(): Body {
    return { type: "doc", content: this.#blocks ?? this.segments.flatMap((segment) => segment.readBlocks()) };
  }

  get characters(): number {
    this.#characters ??= this.segments.reduce((sum, segment) => sum + segment.characters, 0);
    return this.#characters;
  }

  /** The size of its segments as they are stored. */
  get byteSize(): number {
    this.#byteSize ??= this.segments.reduce((sum, segment) => sum + segment.byteSize, 0);
    return this.#byteSize;
  }

  /** The whole document as JSON, joined from stored text. */
  get json(): string {
    return joinJson(this.segments.map((segment) => segment.json));
  }

  /** Position of the top-level block that is or contains the id. */
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

  /** Finds blocks by the segments' indexes, so that only one top-level block is walked. */
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
