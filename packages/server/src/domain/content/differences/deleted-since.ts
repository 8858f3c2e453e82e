import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import { headingPaths } from "@svc/document/read/outline";
import type { Node } from "@svc/document/types";
import { seqOf } from "../../../bodies/body.ts";
import { followStep, type Manifest, manifestOf } from "../../../bodies/manifest.ts";
import { markdownOf } from "../../../bodies/parsing/block-markdown.ts";
import { firstKept } from "../../../bodies/snapshots.ts";
import type { BodyRow, SegmentRow, SnapshotRow } from "../../../db/schema/tables/bodies.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";

/** The fields of a document in the trash that a comparison needs. */
export interface TrashedDocument {
  readonly document: DocumentRow;
  readonly rows: {
    readonly bodies?: readonly BodyRow[];
    readonly snapshots?: readonly SnapshotRow[];
    readonly segments?: readonly SegmentRow[];
  };
}

interface DeletedDifference {
  readonly from_version: string | null;
  readonly to_version: null;
  readonly complete: boolean;
  readonly changes: readonly object[];
  /** People who changed it since. */
  readonly creatorIds: readonly string[];
}

/** A document in the trash as a difference: its blocks at that time, as removed. Undefined if it did not exist then. */
export function deletedSince({ document, rows }: TrashedDocument, since: number, retention: number) {
  if (document.created_at >= since) return undefined;
  const [body] = rows.bodies ?? [];
  if (!body) return undefined;
  const kept = (rows.snapshots ?? [])
    .filter(({ seq }) => seq >= firstKept(seqOf(body), retention))
    .sort((a, b) => a.seq - b.seq);
  const later = kept.filter(({ created_at }) => created_at >= since);
  const [first] = later;
  const isWhole = !first || first.seq === 1 || defined(kept[0]).created_at < since;
  const blocks = blocksOf(rows.segments ?? [], manifestAt(body, later));
  return {
    from_version: isWhole && blocks ? (first ?? body).version : null,
    to_version: null,
    complete: isWhole && blocks !== undefined,
    changes: removedBlocks(blocks ?? [], isWhole),
    creatorIds: later.map(({ creator_id }) => creator_id),
  } satisfies DeletedDifference;
}

/** The state before the first of these snapshots' changes; if there are none, the last state. */
const manifestAt = (body: BodyRow, later: readonly SnapshotRow[]): Manifest =>
  later.reduceRight((next, { manifest }) => followStep(manifest, next), manifestOf(body));

function blocksOf(segments: readonly SegmentRow[], manifest: Manifest): readonly Node[] | undefined {
  const contents = new Map(segments.map(({ hash, content }) => [hash, content]));
  const found = manifest.map(({ hash }) => contents.get(hash));
  return found.every((content) => content !== undefined)
    ? found.flatMap((content): Node[] => JSON.parse(String(content)))
    : undefined;
}

function removedBlocks(blocks: readonly Node[], isWhole: boolean): object[] {
  const paths = headingPaths(listHeadings(blocks), blocks.length);
  return blocks.map((block, position) => ({
    block_id: block.attrs?.id ?? "",
    change_type: "removed",
    heading_path: paths[position] ?? [],
    before: isWhole ? markdownOf(block) : null,
    after: null,
  }));
}
