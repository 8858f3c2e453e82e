import { hash } from "node:crypto";
import { sourceOf } from "@svc/document/properties/front-matter";
import { type Properties, readProperties } from "@svc/document/properties/read-properties";
import type { Tx } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { notFound } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { putValues, removeValues } from "./queries.ts";

export const noProperties = { properties: "{}", front_matter: "" } satisfies Partial<DocumentRow>;

/** The ETag of a document's properties. */
export const propertiesVersion = (frontMatter: string): string => `sha256:${hash("sha256", frontMatter)}`;

const propertiesIn = (frontMatter: string): Properties =>
  frontMatter === "" ? {} : readProperties(sourceOf(frontMatter));

/** The columns of a document with this front matter. */
export const propertyColumns = (frontMatter: string): Pick<DocumentRow, "properties" | "front_matter"> =>
  frontMatter === ""
    ? noProperties
    : { properties: JSON.stringify(propertiesIn(frontMatter)), front_matter: frontMatter };

/** For a new document. */
export const indexProperties = async (tx: Tx, document: DocumentRow): Promise<void> => {
  if (document.properties !== noProperties.properties)
    await putValues(tx, document.workspace_id, document.id, readJson(document.properties));
};

/** The document's row, locked. */
export async function lockProperties(tx: Tx, { workspaceId, documentId }: DocumentKey): Promise<DocumentRow> {
  const row = await tx.lock("document", workspaceId, documentId, "change");
  if (!row) throw notFound("document", documentId);
  return row;
}

/** Sets a document's front matter. The same text again changes nothing. */
export async function setProperties(
  app: Services,
  tx: Tx,
  { key, frontMatter, actor }: { key: DocumentKey; frontMatter: string; actor: Actor },
): Promise<DocumentRow> {
  const before = await lockProperties(tx, key);
  if (before.front_matter === frontMatter) return before;
  const columns = propertyColumns(frontMatter);
  const after = await tx
    .updateTable("documents")
    .set({ ...columns, updated_at: Date.now(), updated_by: actor.userId })
    .where("workspace_id", "=", key.workspaceId)
    .where("id", "=", key.documentId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (before.properties !== columns.properties) {
    await removeValues(tx, key.workspaceId, key.documentId);
    await putValues(tx, key.workspaceId, key.documentId, JSON.parse(columns.properties));
  }
  for (const view of app.views) await view.metadataChanged?.(tx, before, after, app);
  ledgerOf(tx, key.workspaceId).event("document.metadata.updated", after, actor);
  return after;
}
