import type { Warning } from "@svc/document/markdown/serialise";
import { asBuffer } from "../db/as-buffer.ts";
import type { Reader, Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { BodyHtmlRow, BodyRow, BodySourceRow } from "../db/schema/tables/bodies.ts";
import { statement } from "../db/statement/statement.ts";
import { RULES } from "./renderings.ts";
import type { SourceTexts } from "./source-texts.ts";

/**
 * The way a body's Markdown was written is not part of its version. The source of the last Markdown write is stored
 * beside the body; `bodies.style` is its hash, or empty if the body's own Markdown is the same byte for byte.
 */

const writeSource = statement<Omit<BodySourceRow, "html">, unknown>((db, value) =>
  db
    .insertInto("body_sources")
    .values({
      workspace_id: value("workspace_id"),
      document_id: value("document_id"),
      version: value("version"),
      source: value("source"),
      warnings: value("warnings"),
      html: null,
      rules: value("rules"),
      rendered_version: value("rendered_version"),
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "document_id"]).doUpdateSet((eb) => ({
        version: eb.ref("excluded.version"),
        source: eb.ref("excluded.source"),
        warnings: eb.ref("excluded.warnings"),
        html: null,
        rules: eb.ref("excluded.rules"),
        rendered_version: eb.ref("excluded.rendered_version"),
      })),
    ),
);

const writeHtml = statement<BodyHtmlRow, unknown>((db, value) =>
  db
    .insertInto("body_html")
    .values({
      workspace_id: value("workspace_id"),
      document_id: value("document_id"),
      version: value("version"),
      rules: value("rules"),
      html: value("html"),
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "document_id"]).doUpdateSet((eb) => ({
        version: eb.ref("excluded.version"),
        rules: eb.ref("excluded.rules"),
        html: eb.ref("excluded.html"),
      })),
    ),
);

const removeSource = statement<DocumentKey, unknown>((db, value) =>
  db
    .deleteFrom("body_sources")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

/** Removes the HTML of other versions; no version is empty. */
const removeOtherHtml = statement<DocumentKey & { readonly version: string }, unknown>((db, value) =>
  db
    .deleteFrom("body_html")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("version", "!=", value("version")),
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

/** Includes its hash, which takes longer to compute than to read. SQLite returns the bytes as they are sent. */
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
  /** The version of the body that was written from it. */
  readonly version: string;
  readonly source: string | Buffer;
  /** Its hash. */
  readonly style: string;
  /** Warnings about content that our own Markdown of the body cannot express; undefined if not yet computed. */
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

const findHtml = statement<DocumentKey & { readonly version: string }, { readonly html: string | Uint8Array }>(
  (db, value, { textToSend }) =>
    db
      .selectFrom("body_html")
      .select(textToSend("html").as("html"))
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId"))
      .where("version", "=", value("version"))
      .where("rules", "=", RULES),
);

/** The HTML of a version of a body with a source, if it was written whole. */
export async function readHtml(db: Reader, key: DocumentKey, version: string): Promise<string | Buffer | undefined> {
  const [found] = await findHtml(db, { ...key, version });
  const html = found?.html;
  return html instanceof Uint8Array ? asBuffer(html) : html;
}

export async function putSource(tx: Tx, key: DocumentKey, { style: _, html, ...texts }: SourceTexts): Promise<void> {
  const owner = { workspace_id: key.workspaceId, document_id: key.documentId };
  await writeSource.enqueue(tx, { ...owner, ...texts, rendered_version: texts.version });
  if (html === undefined) await removeOtherHtml.enqueue(tx, { ...key, version: texts.version });
  else await writeHtml.enqueue(tx, { ...owner, html, version: texts.version, rules: texts.rules });
}

/** Stores the Markdown that a body was just written from, or that there is none to store. */
export async function keepSource(tx: Tx, key: DocumentKey, texts: SourceTexts | undefined): Promise<void> {
  await setStyle.enqueue(tx, { ...key, style: texts?.style ?? "" });
  if (texts) await putSource(tx, key, texts);
  else {
    await removeSource.enqueue(tx, key);
    await removeOtherHtml.enqueue(tx, { ...key, version: "" });
  }
}
