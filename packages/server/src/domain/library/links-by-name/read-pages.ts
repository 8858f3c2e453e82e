import { WIKI } from "@svc/document/markdown/rules/wiki-link";
import { type NamedPage, namedPage } from "@svc/document/read/named-page";
import { slugOf } from "@svc/document/read/slugs";
import { titleKey } from "@svc/document/read/title-key";
import type { Reader } from "../../../db/database.ts";
import type { InlineRelationRow } from "../../../db/schema/tables/relations.ts";
import { statement } from "../../../db/statement/statement.ts";

/** Marks links that name a page by its title, whether or not the page exists. */
export const BY_NAME = "name";
export const BY_NAME_UNKNOWN = "name?";

const MAX_KEY = 480;

/** The key of a link's page: the keys of folders and title, or the title's alone if that is too long. */
export function pathKey({ folders, page }: NamedPage): string {
  const key = [...folders, page].map(titleKey).join("/");
  return key.length > MAX_KEY ? titleKey(page).slice(0, MAX_KEY) : key;
}

const namedPagesOf = statement<
  { workspaceId: string; documentId: string },
  Pick<InlineRelationRow, "target_uri" | "target_document_id">
>((db, value) =>
  db
    .selectFrom("inline_relations")
    .select(["target_uri", "target_document_id"])
    .distinct()
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("via", "=", BY_NAME),
);

/** The documents that one document's links name, by the key of the path or title. */
export async function readNamedPages(
  db: Reader,
  workspaceId: string,
  documentId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await namedPagesOf(db, { workspaceId, documentId });
  return new Map(
    rows.flatMap(({ target_uri, target_document_id: id }) =>
      id === null ? [] : [[target_uri.replace(/^name:\d+:/, ""), id] as const],
    ),
  );
}

/** Resolves a link by name to a document and the slug of a heading in it. */
export function findNamedPage(
  pages: ReadonlyMap<string, string>,
  href: string,
): { readonly id: string; readonly slug: string } | undefined {
  const named = pages.size === 0 ? undefined : namedPage(href);
  // Relations written by an older version have the title alone.
  const id = named && (pages.get(pathKey(named)) ?? pages.get(titleKey(named.page).slice(0, MAX_KEY)));
  return id === undefined ? undefined : { id, slug: named!.heading === "" ? "" : slugOf(named!.heading) };
}

/** Whether `resolveLinks` finds links in this HTML. */
export const hasNamedLinks = (html: string | Buffer): boolean => html.includes("<a data-wiki=");

const unresolved = /<a data-wiki="([^"]*)">/g;
/** Resolves links by name in HTML; unknown ones stay unchanged. */
export const resolveLinks = (html: string, pages: ReadonlyMap<string, string>): string =>
  html.replace(unresolved, (tag, target: string) => {
    const found = findNamedPage(pages, WIKI + unescapeHtml(target));
    return found ? `<a href="svc://doc/${found.id}${found.slug && `#${found.slug}`}" rel="noopener noreferrer">` : tag;
  });

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name]!);
