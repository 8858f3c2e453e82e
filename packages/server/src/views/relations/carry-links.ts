import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { BY_NAME, BY_NAME_UNKNOWN } from "../../domain/library/links-by-name/read-pages.ts";
import type { Services } from "../../services.ts";
import { requestForTitles } from "./request-resolving.ts";

/**
 * Points the links by name of a document that moved to another knowledge base at pages of that one. Links that lead to
 * a page keep it; a job resolves those that wait.
 */
export async function carryLinks(tx: Tx, { workspace_id, id, knowledge_base_id }: DocumentRow, app: Services) {
  const links = await tx
    .selectFrom("inline_relations")
    .select(["target_uri", "target_document_id", "via"])
    .distinct()
    .where("workspace_id", "=", workspace_id)
    .where("document_id", "=", id)
    .where("via", "in", [BY_NAME, BY_NAME_UNKNOWN])
    .execute();
  const to = `name:${knowledge_base_id}:`;
  const places = new Set(links.map(({ target_uri }) => /^name:\d+:/.exec(target_uri)?.[0] ?? to));
  for (const from of places.difference(new Set([to])))
    for (const [column, vias] of [
      ["target_document_id", [BY_NAME_UNKNOWN]],
      ["target_uri", [BY_NAME, BY_NAME_UNKNOWN]],
    ] as const)
      await tx
        .updateTable("inline_relations")
        .set({ [column]: sql`${to} || substr(${sql.ref(column)}, ${sql.lit(from.length + 1)})` })
        .where("workspace_id", "=", workspace_id)
        .where("document_id", "=", id)
        .where("via", "in", vias)
        .where("target_uri", "like", `${from}%`)
        .execute();
  const waiting = links.flatMap((link) =>
    link.via === BY_NAME_UNKNOWN ? (link.target_document_id ?? "").replace(/^name:\d+:/, "") || [] : [],
  );
  await requestForTitles(tx, app, workspace_id, knowledge_base_id, waiting);
}
