import { restyle } from "@svc/document/markdown/restyle";
import { serialiseBody } from "@svc/document/markdown/serialise";
import type { StoredBody } from "../../../bodies/body.ts";
import { readSource } from "../../../bodies/sources.ts";
import type { Reader } from "../../../db/database.ts";
import type { BodyRow } from "../../../db/schema/tables/bodies.ts";

/** Not `.md`: a reader of the bundle would take it for a document. */
export const stylePath = (documentId: string): string => `styles/${documentId}.txt`;

/** A body's Markdown as its author wrote it; undefined if the service would write the same. */
export async function styledText(db: Reader, row: BodyRow, body: StoredBody): Promise<string | undefined> {
  if (row.style === "") return undefined;
  const kept = await readSource(db, { workspaceId: row.workspace_id, documentId: row.document_id });
  if (!kept) return undefined;
  const { content } = body.readOnce();
  const source = kept.source.toString();
  const text = kept.version === row.version ? source : restyle(source, content);
  return text && text !== serialiseBody(content).text ? text : undefined;
}
