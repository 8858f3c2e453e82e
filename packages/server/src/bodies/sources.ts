import { hash } from "node:crypto";
import { isMarkdownOf } from "@svc/document/markdown/serialise";
import type { Reader, Tx } from "../db/database.ts";
import type { BodyRow, BodySourceRow } from "../db/schema/tables/bodies.ts";
import { statement } from "../db/statement/statement.ts";
import type { StoredBody } from "./body.ts";
import type { DocumentKey } from "./store.ts";

/**
 * How a body's Markdown was written is no part of its version. The source of the last Markdown write stands beside the
 * body; `bodies.style` is its hash, or empty where the body's own Markdown says the same byte for byte.
 */

const putSource = statement<BodySourceRow, unknown>((db, value) =>
  db
    .insertInto("body_sources")
    .values({
      workspace_id: value("workspace_id"),
      document_id: value("document_id"),
      version: value("version"),
      source: value("source"),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "document_id"])
        .doUpdateSet((eb) => ({ version: eb.ref("excluded.version"), source: eb.ref("excluded.source") })),
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

type FoundSource = Pick<BodySourceRow, "version" | "source"> & Pick<BodyRow, "style">;

/** With its hash, which takes longer to make than to read. */
const findSource = statement<DocumentKey, FoundSource>((db, value) =>
  db
    .selectFrom("body_sources as s")
    .innerJoin("bodies as b", (on) =>
      on.onRef("b.workspace_id", "=", "s.workspace_id").onRef("b.document_id", "=", "s.document_id"),
    )
    .select(["s.version", "s.source", "b.style"])
    .where("s.workspace_id", "=", value("workspaceId"))
    .where("s.document_id", "=", value("documentId")),
);

export const readSource = async (db: Reader, key: DocumentKey): Promise<FoundSource | undefined> =>
  (await findSource(db, key))[0];

/** What tells a source from others. */
export const styleOf = (source: string): string => hash("sha256", source, "base64url").slice(0, 22);

/** Both databases keep it as it is, and it is text of the body alone. */
const isKept = (source: string): boolean =>
  source.isWellFormed() && !source.includes("\0") && !source.includes("<!--@block=");

/** Keeps the Markdown that a body was just written from. With anchors, what is kept stays as it was. */
export async function keepSource(
  tx: Tx,
  key: DocumentKey,
  body: Pick<StoredBody, "version" | "blocks">,
  source: string,
  isNew = false,
): Promise<void> {
  if (!isKept(source)) return;
  if (isMarkdownOf(source, body.blocks)) {
    if (isNew) return;
    await setStyle.enqueue(tx, { ...key, style: "" });
    await removeSource.enqueue(tx, key);
    return;
  }
  const row = { workspace_id: key.workspaceId, document_id: key.documentId, version: body.version, source };
  await putSource.enqueue(tx, row);
  await setStyle.enqueue(tx, { ...key, style: styleOf(source) });
}
