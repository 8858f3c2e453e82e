import { hash } from "node:crypto";
import { type HtmlRun, joinHtmlRuns } from "@svc/document/html/run";
import { isMarkdownOf, type Warning } from "@svc/document/markdown/serialise";
import { warningsOf } from "@svc/document/markdown/warnings-of";
import { isStorable } from "@svc/document/storable";
import type { Node } from "@svc/document/types";
import { asBuffer } from "../db/as-buffer.ts";
import type { Reader, Tx } from "../db/database.ts";
import type { BodyRow, BodySourceRow } from "../db/schema/tables/bodies.ts";
import { statement } from "../db/statement/statement.ts";
import { type RenderedSegment, RULES } from "./renderings.ts";
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
      html: value("html"),
      rules: value("rules"),
      rendered_version: value("rendered_version"),
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "document_id"]).doUpdateSet((eb) => ({
        version: eb.ref("excluded.version"),
        source: eb.ref("excluded.source"),
        warnings: eb.ref("excluded.warnings"),
        html: eb.ref("excluded.html"),
        rules: eb.ref("excluded.rules"),
        rendered_version: eb.ref("excluded.rendered_version"),
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

type SourceColumns = Pick<BodySourceRow, "version" | "warnings" | "rules" | "rendered_version"> &
  Pick<BodyRow, "style">;
type FoundSource = SourceColumns & { readonly source: string | Uint8Array };

/** With its hash, which takes longer to make than to read. SQLite hands out the bytes as they are sent. */
const findSource = statement<DocumentKey, FoundSource>((db, value, { textToSend }) =>
  db
    .selectFrom("body_sources as s")
    .innerJoin("bodies as b", (on) =>
      on.onRef("b.workspace_id", "=", "s.workspace_id").onRef("b.document_id", "=", "s.document_id"),
    )
    .select(["s.version", "s.warnings", "s.rules", "s.rendered_version", "b.style"])
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
  const { version, style, source, warnings, rules, rendered_version } = found;
  const isKnown = warnings !== null && rules === RULES && rendered_version === version;
  return {
    version,
    style,
    source: typeof source === "string" ? source : asBuffer(source),
    warnings: isKnown ? JSON.parse(warnings) : undefined,
  };
}

const findHtml = statement<DocumentKey & { readonly version: string }, { readonly html: string | Uint8Array | null }>(
  (db, value, { textToSend }) =>
    db
      .selectFrom("body_sources")
      .select(textToSend("html").as("html"))
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId"))
      .where("rendered_version", "=", value("version"))
      .where("rules", "=", RULES),
);

/** The HTML of a version of a body that has a source, if that was written whole. */
export async function readHtml(db: Reader, key: DocumentKey, version: string): Promise<string | Buffer | undefined> {
  const [found] = await findHtml(db, { ...key, version });
  const html = found?.html ?? undefined;
  return html instanceof Uint8Array ? asBuffer(html) : html;
}

/** What tells a source from others. */
export const styleOf = (source: string): string => hash("sha256", source, "base64url").slice(0, 22);

/** Both databases keep it as it is, and it is text of the body alone. */
const isKept = (source: string): boolean => isStorable(source) && !source.includes("<!--@block=");

interface BesideBody {
  readonly source: string;
  readonly style: string;
}

/** What is kept of the Markdown that blocks were written from; undefined where theirs says the same. */
export const sourceBeside = (source: string | undefined, blocks: readonly Node[]): BesideBody | undefined =>
  source === undefined || !isKept(source) || isMarkdownOf(source, blocks)
    ? undefined
    : { source, style: styleOf(source) };

/** A body that was just written, with those of its segments that are new. */
interface Written {
  readonly version: string;
  readonly blocks: readonly Node[];
  readonly segments: readonly Pick<Segment, "hash">[];
  readonly rendered: readonly RenderedSegment[];
}

/** The HTML of all segments of a body, if all of them are rendered. */
function wholeHtml({ segments, rendered }: Written): string | undefined {
  const byHash = new Map(rendered.map((one) => [one.segment.hash, one.html]));
  const all: HtmlRun[] = [];
  for (const { hash } of segments) {
    const html = byHash.get(hash);
    if (!html) return undefined;
    all.push(html);
  }
  return joinHtmlRuns(all);
}

/** What is stored beside a body that was written from a source. */
export type SourceTexts = Omit<BodySourceRow, "workspace_id" | "document_id"> & Pick<BodyRow, "style">;

export function sourceTexts(written: Written, { source, style }: BesideBody): SourceTexts {
  const { version, blocks } = written;
  const html = wholeHtml(written);
  return {
    version,
    source,
    style,
    warnings: JSON.stringify(warningsOf(blocks)),
    html: html !== undefined && isStorable(html) ? html : null,
    rules: RULES,
    rendered_version: version,
  };
}

export const putSource = (tx: Tx, { workspaceId, documentId }: DocumentKey, { style: _, ...texts }: SourceTexts) =>
  writeSource.enqueue(tx, { workspace_id: workspaceId, document_id: documentId, ...texts });

/** What becomes of a source with a write of a body. */
export interface SourceChange {
  readonly kept: BesideBody | undefined;
}

/** Undefined leaves it as it was: there is no source, or one with anchors. */
export const sourceChange = (source: string | undefined, blocks: readonly Node[]): SourceChange | undefined =>
  source !== undefined && isKept(source) ? { kept: sourceBeside(source, blocks) } : undefined;

/** Keeps the Markdown that a body was just written from, or that there is none to be kept. */
export async function keepSource(tx: Tx, key: DocumentKey, written: Written, { kept }: SourceChange): Promise<void> {
  await setStyle.enqueue(tx, { ...key, style: kept?.style ?? "" });
  if (kept) await putSource(tx, key, sourceTexts(written, kept));
  else await removeSource.enqueue(tx, key);
}
