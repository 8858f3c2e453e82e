import { hash } from "node:crypto";
import { isMarkdownOf, type Warning } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";
import { asBuffer } from "../bytes.ts";
import type { Reader, Tx } from "../db/database.ts";
import type { BodyRow, BodySourceRow } from "../db/schema/tables/bodies.ts";
import { statement } from "../db/statement/statement.ts";
import type { StoredBody } from "./body.ts";
import { RULES } from "./renderings.ts";
import type { Segment } from "./segment.ts";
import type { DocumentKey } from "./store.ts";

/**
 * How a body's Markdown was written is no part of its version. The source of the last Markdown write stands beside the
 * body; `bodies.style` is its hash, or empty where the body's own Markdown says the same byte for byte.
 */

const writeSource = statement<BodySourceRow, unknown>((db, value) =>
  db
    .insertInto("body_sources")
    .values({
      workspace_id: value("workspace_id"),
      document_id: value("document_id"),
      version: value("version"),
      source: value("source"),
      warnings: value("warnings"),
      rules: value("rules"),
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "document_id"]).doUpdateSet((eb) => ({
        version: eb.ref("excluded.version"),
        source: eb.ref("excluded.source"),
        warnings: eb.ref("excluded.warnings"),
        rules: eb.ref("excluded.rules"),
      })),
    ),
);

const removeSource = statement<DocumentKey, unknown>((db, value) =>
  db
    .deleteFrom("body_sources")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

const setStyle = statement<DocumentKey & { readonly style: string }, unknown>((db, value) =>
  db
    .updateTable("bodies")
    .set({ style: value("style") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

type SourceColumns = Pick<BodySourceRow, "version" | "warnings" | "rules"> & Pick<BodyRow, "style">;
type FoundSource = SourceColumns & { readonly source: string | Uint8Array };

/** With its hash, which takes longer to make than to read. SQLite hands out the bytes as they are sent. */
const findSource = statement<DocumentKey, FoundSource>((db, value, { textToSend }) =>
  db
    .selectFrom("body_sources as s")
    .innerJoin("bodies as b", (on) =>
      on.onRef("b.workspace_id", "=", "s.workspace_id").onRef("b.document_id", "=", "s.document_id"),
    )
    .select(["s.version", "s.warnings", "s.rules", "b.style"])
    .select(textToSend("s.source").as("source"))
    .where("s.workspace_id", "=", value("workspaceId"))
    .where("s.document_id", "=", value("documentId")),
);

export interface KeptSource {
  /** Of the body that was written from it. */
  readonly version: string;
  readonly source: string | Buffer;
  /** Its hash. */
  readonly style: string;
  /** What our own Markdown of that body could not say; undefined where it has to be asked for. */
  readonly warnings: readonly Warning[] | undefined;
}

export async function readSource(db: Reader, key: DocumentKey): Promise<KeptSource | undefined> {
  const [found] = await findSource(db, key);
  if (!found) return undefined;
  const { version, style, source, warnings, rules } = found;
  return {
    version,
    style,
    source: typeof source === "string" ? source : asBuffer(source),
    warnings: warnings === null || rules !== RULES ? undefined : JSON.parse(warnings),
  };
}

/** What tells a source from others. */
export const styleOf = (source: string): string => hash("sha256", source, "base64url").slice(0, 22);

/** Both databases keep it as it is, and it is text of the body alone. */
const isKept = (source: string): boolean =>
  source.isWellFormed() && !source.includes("\0") && !source.includes("<!--@block=");

/** What is kept of the Markdown that blocks were written from; undefined where theirs says the same. */
export const sourceBeside = (
  source: string | undefined,
  blocks: readonly Node[],
): { readonly source: string; readonly style: string } | undefined =>
  source === undefined || !isKept(source) || isMarkdownOf(source, blocks)
    ? undefined
    : { source, style: styleOf(source) };

type Written = Pick<StoredBody, "version" | "blocks" | "segments">;

/** The warnings of all segments, if all are known. */
function warningsOf(segments: readonly Segment[]): readonly Warning[] | undefined {
  const all: Warning[] = [];
  for (const { warnings } of segments) {
    if (!warnings) return undefined;
    all.push(...warnings);
  }
  return all;
}

export const putSource = (tx: Tx, key: DocumentKey, { version, segments }: Written, source: string): Promise<void> => {
  const warnings = warningsOf(segments);
  return writeSource.enqueue(tx, {
    workspace_id: key.workspaceId,
    document_id: key.documentId,
    version,
    source,
    warnings: warnings ? JSON.stringify(warnings) : null,
    rules: RULES,
  });
};

/** Keeps the Markdown that a body was just written from. With anchors, what is kept stays as it was. */
export async function keepSource(tx: Tx, key: DocumentKey, body: Written, source: string): Promise<void> {
  if (!isKept(source)) return;
  const kept = sourceBeside(source, body.blocks);
  await setStyle.enqueue(tx, { ...key, style: kept?.style ?? "" });
  await (kept ? putSource(tx, key, body, kept.source) : removeSource.enqueue(tx, key));
}
