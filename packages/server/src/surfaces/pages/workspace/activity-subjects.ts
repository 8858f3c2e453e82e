import type { Reader } from "../../../db/database.ts";

/** The subject of an audit entry. */
interface Subject {
  readonly name: string;
  /** Undefined if it is in the trash. */
  readonly href: string | undefined;
}

interface Entry {
  readonly path: string;
  readonly created_id: string | null;
}

/** Kind and id, for example `documents/doc_1`: the first that the path names, or the one created there. */
const resourcePathOf = ({ path, created_id }: Entry): string | undefined =>
  /\b(?:documents|folders|knowledge-bases|comments|suggestions|attachments)\/\w+/.exec(
    created_id === null ? path : `${path}/${created_id}`,
  )?.[0];

/** Maps audit entries to their subjects, if the reader may see them. */
export async function subjectsOf(
  db: Reader,
  workspaceId: string,
  entries: readonly Entry[],
): Promise<(entry: Entry) => Subject | undefined> {
  const paths = new Set(entries.flatMap((entry) => resourcePathOf(entry) ?? []));
  const idsOf = (kind: string) =>
    [...paths].flatMap((path) => (path.startsWith(`${kind}/`) ? path.slice(kind.length + 1) : []));
  const numbersOf = (kind: string) => idsOf(kind).map(Number).filter(Number.isSafeInteger);
  const pagesOf = await readPagesOf(db, workspaceId, idsOf);
  const names = new Map<string, Subject>();
  const documents = [...new Set([...idsOf("documents"), ...pagesOf.values()])];
  for (const { kind, item_id, name } of await inTrash(db, workspaceId, [...documents, ...idsOf("folders")]))
    names.set(`${kind}s/${item_id}`, { name, href: undefined });
  const note = (kind: string, id: string | number, name: string) =>
    names.set(`${kind}/${id}`, { name, href: `/${kind}/${id}` });
  for (const { id, title } of await readTitles(db, workspaceId, documents)) note("documents", id, title);
  for (const kind of ["folders", "knowledge-bases"] as const)
    for (const { id, name } of await readNames(db, workspaceId, kind, numbersOf(kind))) note(kind, id, name);
  return (entry) => {
    const path = resourcePathOf(entry);
    const page = path && pagesOf.get(path);
    return path === undefined ? undefined : names.get(page ? `documents/${page}` : path);
  };
}

/** The pages that comments, suggestions and files belong to. */
async function readPagesOf(db: Reader, workspaceId: string, idsOf: (kind: string) => string[]) {
  const pages = new Map<string, string>();
  for (const kind of ["comments", "suggestions", "attachments"] as const) {
    const rows = await unlessNone(idsOf(kind), (ids) =>
      db
        .selectFrom(kind)
        .select(["id", "document_id"])
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", ids)
        .execute(),
    );
    for (const { id, document_id } of rows) pages.set(`${kind}/${id}`, document_id);
  }
  return pages;
}

const readTitles = (db: Reader, workspaceId: string, documents: readonly string[]) =>
  unlessNone(documents, (ids) =>
    db
      .selectFrom("documents")
      .select(["id", "title"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", ids)
      .execute(),
  );

const readNames = (db: Reader, workspaceId: string, kind: "folders" | "knowledge-bases", of: readonly number[]) =>
  unlessNone(of, (ids) =>
    db
      .selectFrom(kind === "folders" ? "folders" : "knowledge_bases")
      .select(["id", "name"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", ids)
      .execute(),
  );

const inTrash = (db: Reader, workspaceId: string, items: readonly string[]) =>
  unlessNone(items, (ids) =>
    db
      .selectFrom("trash")
      .select(["kind", "item_id", "name"])
      .where("workspace_id", "=", workspaceId)
      .where("item_id", "in", ids)
      .execute(),
  );

const unlessNone = async <Id, Row>(ids: readonly Id[], read: (ids: readonly Id[]) => Promise<Row[]>): Promise<Row[]> =>
  ids.length === 0 ? [] : read(ids);
