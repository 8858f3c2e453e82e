import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { statement } from "../../db/statement/statement.ts";
import { unknownPage } from "../../domain/knowledge/relations/target.ts";
import { titleKey } from "../../domain/library/documents/title-key.ts";
import { listFoldersOf } from "../../domain/library/folders/queries.ts";
import { BY_NAME, BY_NAME_UNKNOWN } from "../../domain/library/links-by-name/read-pages.ts";
import { byId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { checkFoundPages, checkWaitingLinks } from "./deferred-checks.ts";
import { fitOf, folderPaths } from "./nearest-page.ts";
import { requestForTitles } from "./request-resolving.ts";
import type { WantedLink } from "./wanted-links.ts";

type Named = Pick<DocumentRow, "id" | "title_key" | "folder_id">;

/** Finds the document that each new link by name refers to, if any: the nearest one, then the first. */
export async function findNamed(
  tx: Tx,
  document: DocumentRow,
  added: readonly WantedLink[],
): Promise<readonly WantedLink[]> {
  const { workspace_id, knowledge_base_id, folder_id } = document;
  const wanted = added.filter(({ via }) => via === BY_NAME_UNKNOWN);
  if (wanted.length === 0) return added;
  const keyOf = ({ target_document_id }: WantedLink) => nameOf(target_document_id ?? "");
  const keys = [...new Set(wanted.map(keyOf))];
  const named = await listNamed(tx, document, keys);
  checkFoundPages(tx, document, keys, named);
  const pages = Map.groupBy(named, (row) => row.title_key);
  const isClear = [...pages.values()].every(({ length }) => length === 1);
  const pathOf = folderPaths(isClear ? [] : await listFoldersOf(tx, workspace_id, knowledge_base_id));
  return added.map((link) => {
    const [first, ...more] = link.via === BY_NAME_UNKNOWN ? (pages.get(keyOf(link)) ?? []) : [];
    if (first === undefined) return link;
    const near = ({ folder_id: of }: Named) => fitOf(nameOf(link.target_uri), pathOf(folder_id), pathOf(of));
    const { id } = more.reduce((best, page) => (near(page) > near(best) ? page : best), first);
    return { ...link, target_document_id: id, via: BY_NAME };
  });
}

/** The title key in the placeholder for an unknown page. */
const nameOf = (unknown: string): string => unknown.replace(/^name:\d+:/, "");

const namedIn = statement<{ workspaceId: string; knowledgeBaseId: number; keys: readonly string[] }, Named>(
  (db, value) =>
    db
      .selectFrom("documents")
      .select(["id", "title_key", "folder_id"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("knowledge_base_id", "=", value("knowledgeBaseId"))
      .where("title_key", "in", value("keys")),
  { list: "keys" },
);

async function listNamed(
  tx: Tx,
  { workspace_id: workspaceId, knowledge_base_id: knowledgeBaseId }: DocumentRow,
  keys: readonly string[],
): Promise<Named[]> {
  return (await namedIn(tx, { workspaceId, knowledgeBaseId, keys })).sort(byId);
}

interface Claim {
  readonly workspaceId: string;
  readonly unknown: string;
  readonly id: string;
  readonly via: string;
}

const claim = statement<Claim, unknown>((db, value) =>
  db
    .updateTable("inline_relations")
    .set({ target_document_id: value("id"), via: value("via") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("target_document_id", "=", value("unknown")),
);

/** Points links at this page that wait for its title, or that it fits better than their current target. */
export async function claimLinks(tx: Tx, document: DocumentRow, app: Services): Promise<void> {
  const { workspace_id: workspaceId, id, knowledge_base_id, title, title_key: key, folder_id } = document;
  await claim.enqueue(tx, { workspaceId, unknown: unknownPage(knowledge_base_id, title), id, via: BY_NAME });
  if (key === "") return;
  checkWaitingLinks(tx, document);
  const found = await linksToOthers(tx, { workspaceId, knowledgeBaseId: knowledge_base_id, key, id });
  if (found.length === MAX_LINKS || new Set(found.map(({ page_id }) => page_id)).size > MAX_OTHER_PAGES)
    await requestForTitles(tx, app, workspaceId, knowledge_base_id, [key]);
  const links = found.flatMap(({ id: link, target_uri, ...more }) =>
    link === null || target_uri === null ? [] : [{ id: link, target_uri, ...more }],
  );
  if (links.length === 0) return;
  const pathOf = folderPaths(await listFoldersOf(tx, workspaceId, knowledge_base_id));
  const nearer = links.filter(({ target_uri, source_folder, page_folder }) => {
    const near = (folder: number | null) => fitOf(nameOf(target_uri), pathOf(source_folder), pathOf(folder));
    return near(folder_id) > near(page_folder);
  });
  for (const some of batchesOf(nearer))
    await tx
      .updateTable("inline_relations")
      .set({ target_document_id: id })
      .where("workspace_id", "=", workspaceId)
      .where(
        "id",
        "in",
        some.map((link) => link.id),
      )
      .execute();
}

/** The number of other pages with one title, and of links, that the transaction checks; a job handles more. */
const MAX_OTHER_PAGES = 50;
const MAX_LINKS = 500;

/** A link to another page, or a page without links to it. */
interface LinkToOther {
  readonly id: string | null;
  readonly target_uri: string | null;
  readonly page_id: string;
  readonly source_folder: number | null;
  readonly page_folder: number | null;
}

const linksToOthers = statement<{ workspaceId: string; knowledgeBaseId: number; key: string; id: string }, LinkToOther>(
  (db, value) =>
    db
      .selectFrom(
        db
          .selectFrom("documents")
          .select(["workspace_id", "id", "folder_id"])
          .where("workspace_id", "=", value("workspaceId"))
          .where("title_key", "=", value("key"))
          .where("knowledge_base_id", "=", value("knowledgeBaseId"))
          .where("id", "<>", value("id"))
          .limit(MAX_OTHER_PAGES + 1)
          .as("page"),
      )
      .leftJoin("inline_relations as link", (join) =>
        join
          .onRef("link.workspace_id", "=", "page.workspace_id")
          .onRef("link.target_document_id", "=", "page.id")
          .on("link.via", "=", BY_NAME),
      )
      .leftJoin("documents as source", (join) =>
        join.onRef("source.workspace_id", "=", "link.workspace_id").onRef("source.id", "=", "link.document_id"),
      )
      .select(["link.id", "link.target_uri", "page.id as page_id"])
      .select(["source.folder_id as source_folder", "page.folder_id as page_folder"])
      .limit(MAX_LINKS),
);

/**
 * Makes links by name to deleted documents wait for another page with the name; a job finds one that exists already.
 */
export async function releaseLinks(tx: Tx, app: Services, workspaceId: string, ids: readonly string[]): Promise<void> {
  const released = await tx
    .updateTable("inline_relations")
    .set({ target_document_id: sql.ref("target_uri"), via: BY_NAME_UNKNOWN })
    .where("workspace_id", "=", workspaceId)
    .where("via", "=", BY_NAME)
    .where("target_document_id", "in", ids)
    .returning("target_uri")
    .execute();
  // They wait by title, whatever folders they name.
  for (const path of new Set(released.map((link) => link.target_uri).filter((uri) => uri.includes("/"))))
    await claim.enqueue(tx, {
      workspaceId,
      unknown: path,
      id: path.replace(/^(name:\d+:).*\//, "$1"),
      via: BY_NAME_UNKNOWN,
    });
  const named = released.map((link) => /^name:(\d+):(?:.*\/)?(.*)$/s.exec(link.target_uri));
  for (const [base, names] of Map.groupBy(named, (name) => Number(name?.[1])))
    if (base > 0)
      await requestForTitles(
        tx,
        app,
        workspaceId,
        base,
        names.map((name) => name?.[2] ?? ""),
      );
}

export const hasNewName = (before: DocumentRow, after: DocumentRow): boolean =>
  titleKey(before.title) !== titleKey(after.title) ||
  before.knowledge_base_id !== after.knowledge_base_id ||
  before.folder_id !== after.folder_id;
