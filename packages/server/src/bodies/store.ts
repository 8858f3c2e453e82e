import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { BodyRow, SegmentRow } from "../db/schema/tables/bodies.ts";
import { statement } from "../db/statement/statement.ts";
import { type Difference, type Manifest, writeManifest, writeStep } from "./manifest.ts";
import { RULES, type SegmentTexts } from "./renderings.ts";

/**
 * Stores segments that the state of this `seq` adds, with the authors of their blocks; a segment that exists already is
 * marked as added again.
 */
export const insertSegments = (
  tx: Tx,
  { workspaceId, documentId }: DocumentKey,
  segments: readonly SegmentTexts[],
  seq: number,
  authors: ReadonlyMap<string, string | null>,
): Promise<void> =>
  putSegments.enqueue(tx, {
    rows: segments.map(({ segment: { hash, json }, markdown, html }) => ({
      workspace_id: workspaceId,
      document_id: documentId,
      hash,
      content: json,
      added_revision: seq,
      markdown,
      html,
      rules: RULES,
      authors: authors.get(hash) ?? null,
    })),
  });

const putSegments = statement<{ rows: readonly SegmentRow[] }, unknown>(
  (tx, value) =>
    tx
      .insertInto("segments")
      .values(value("rows"))
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "document_id", "hash"]).doUpdateSet((eb) => ({
          added_revision: eb.ref("excluded.added_revision"),
          markdown: eb.ref("excluded.markdown"),
          html: eb.ref("excluded.html"),
          rules: eb.ref("excluded.rules"),
          authors: eb.ref("excluded.authors"),
        })),
      ),
  {
    rows: "rows",
    fields: [
      "workspace_id",
      "document_id",
      "hash",
      "content",
      "added_revision",
      "markdown",
      "html",
      "rules",
      "authors",
    ],
  },
);

/** The authors of some segments' blocks. */
export const selectAuthors = statement<
  DocumentKey & { readonly hashes: readonly string[] },
  Pick<SegmentRow, "hash" | "authors">
>(
  (db, value) =>
    db
      .selectFrom("segments")
      .select(["hash", "authors"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId"))
      .where("hash", "in", value("hashes")),
  { list: "hashes" },
);

export const insertBody = statement<Omit<BodyRow, "steps" | "lock" | "live_revisions">, unknown>((db, value) =>
  db.insertInto("bodies").values({
    workspace_id: value("workspace_id"),
    document_id: value("document_id"),
    document_type: value("document_type"),
    version: value("version"),
    manifest: value("manifest"),
    revision: value("revision"),
    live_revisions: 0,
    style: value("style"),
    steps: "",
    lock: 0,
  }),
);

type NewState = DocumentKey & Pick<BodyRow, "version" | "revision" | "live_revisions">;

const writeWhole = statement<NewState & Pick<BodyRow, "manifest">, unknown>((db, value) =>
  db
    .updateTable("bodies")
    .set({
      version: value("version"),
      manifest: value("manifest"),
      steps: "",
      revision: value("revision"),
      live_revisions: value("live_revisions"),
    })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

const addStep = statement<NewState & { readonly step: string }, unknown>((db, value) =>
  db
    .updateTable("bodies")
    .set((eb) => ({
      version: value("version"),
      steps: sql`${eb.ref("steps")} || ${value("step")}`,
      revision: value("revision"),
      live_revisions: value("live_revisions"),
    }))
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

/** Segments: a longer manifest than this is larger than a row's steps may become. */
const LONG_MANIFEST = 64;
/** Characters: two or three segments. */
const LONG_STEP = 160;
/** A long manifest is written whole every so many revisions, which limits the steps. */
const MAX_STEPS = 16;

/**
 * Stores a new state of a body. For a long manifest it writes only the step from the previous one: writing all of it
 * would take as long as the rest of a small edit.
 */
export function updateBody(tx: Tx, state: NewState, manifest: Manifest, difference: Difference): Promise<void> {
  const step = writeStep(difference, difference.after);
  const isWhole = manifest.length < LONG_MANIFEST || step.length > LONG_STEP || state.revision % MAX_STEPS === 0;
  return isWhole
    ? writeWhole.enqueue(tx, { ...state, manifest: writeManifest(manifest) })
    : addStep.enqueue(tx, { ...state, step: `${step};` });
}
