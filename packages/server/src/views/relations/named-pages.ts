import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { statement } from "../../db/statement/statement.ts";
import { titleKey } from "../../resources/documents/title-key.ts";
import { BY_NAME, BY_NAME_UNKNOWN } from "../../resources/links-by-name/read-pages.ts";
import { unknownPage } from "../../resources/relations/target.ts";
import type { WantedLink } from "./wanted-links.ts";

/** Titles that are looked up at once. */
const BATCH = 200;

/** New links by name, with the document that each names where there is one: of several the first. */
export async function findNamed(
  tx: Tx,
  { workspace_id, knowledge_base_id }: DocumentRow,
  added: readonly WantedLink[],
): Promise<readonly WantedLink[]> {
  const prefix = unknownPage(knowledge_base_id, "");
  const wanted = added.filter(({ via }) => via === BY_NAME_UNKNOWN).map((link) => link.target_uri.slice(prefix.length));
  if (wanted.length === 0) return added;
  const ids = new Map<string, string>();
  const keys = [...new Set(wanted)];
  for (let i = 0; i < keys.length; i += BATCH) {
    const rows = await tx
      .selectFrom("documents")
      .select(["id", "title_key"])
      .where("workspace_id", "=", workspace_id)
      .where("knowledge_base_id", "=", knowledge_base_id)
      .where("title_key", "in", keys.slice(i, i + BATCH))
      .orderBy("id", "desc")
      .execute();
    for (const row of rows) ids.set(row.title_key, row.id);
  }
  return added.map((link) => {
    const id = link.via === BY_NAME_UNKNOWN ? ids.get(link.target_uri.slice(prefix.length)) : undefined;
    return id === undefined ? link : { ...link, target_document_id: id, via: BY_NAME };
  });
}

interface Claim {
  readonly workspaceId: string;
  readonly unknown: string;
  readonly id: string;
}

const claim = statement<Claim, unknown>((db, value) =>
  db
    .updateTable("inline_relations")
    .set({ target_document_id: value("id"), via: BY_NAME })
    .where("workspace_id", "=", value("workspaceId"))
    .where("target_document_id", "=", value("unknown")),
);

/** Links that wait for a page of this title lead to it from now on. */
export const claimLinks = (tx: Tx, { workspace_id, id, knowledge_base_id, title }: DocumentRow): Promise<void> =>
  claim.enqueue(tx, { workspaceId: workspace_id, unknown: unknownPage(knowledge_base_id, title), id });

/** Links by name to documents that go wait for another page of the name. */
export const releaseLinks = (tx: Tx, workspaceId: string, ids: readonly string[]): Promise<unknown> =>
  tx
    .updateTable("inline_relations")
    .set({ target_document_id: sql.ref("target_uri"), via: BY_NAME_UNKNOWN })
    .where("workspace_id", "=", workspaceId)
    .where("via", "=", BY_NAME)
    .where("target_document_id", "in", ids)
    .execute();

export const hasNewName = (before: DocumentRow, after: DocumentRow): boolean =>
  titleKey(before.title) !== titleKey(after.title) || before.knowledge_base_id !== after.knowledge_base_id;
