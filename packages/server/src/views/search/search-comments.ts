import { sql } from "kysely";
import type { Reader } from "../../db/database.ts";
import type { CommentRow } from "../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { readPath } from "../../domain/library/documents/read-path.ts";
import { likePattern, titleKey } from "../../domain/library/documents/title-key.ts";
import { invalidRequest } from "../../errors.ts";
import type { Answer } from "../../http/answer.ts";
import { pageOf } from "../../http/page.ts";
import type { Services } from "../../services.ts";
import { conditionsOf, filterOf } from "./read/filter.ts";
import type { SearchInput } from "./schema.ts";

/** The words that a comment must and must not contain, without case and accents. */
interface Words {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
}

/** Parses words, `"phrases"`, `prefixes*` and `-not`, as in every search. */
function wordsOf(text: string): Words {
  const parts = [...text.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)].map(([, minus, phrase, word]) => ({
    isNot: minus === "-",
    key: titleKey(phrase ?? word ?? "")
      .replace(phrase === undefined ? /^"|[*"]+$/g : /^$/, "")
      .trim(),
  }));
  const keys = (isNot: boolean) =>
    parts.filter((part) => part.isNot === isNot && part.key !== "").map(({ key }) => key);
  return { wanted: keys(false), unwanted: keys(true) };
}

const has = (key: string) => sql<boolean>`c.text_key like ${likePattern(key)} escape '\\'`;

type Found = CommentRow & { readonly document: DocumentRow; readonly pathText: string };

/** Returns the comments that contain all the words, newest first. */
export async function searchComments(
  app: Pick<Services, "database" | "secret">,
  workspaceId: string,
  input: SearchInput,
): Promise<Answer> {
  const words = wordsOf(input.q);
  if (words.wanted.length === 0) throw invalidRequest("query.q", "must contain a word to look for");
  const db = app.database.read;
  const filter = filterOf(input);
  const { sql: conditions } = await conditionsOf(db, workspaceId, filter);
  const matching = () => {
    let rows = db
      .selectFrom("comments as c")
      .innerJoin("documents as d", (join) =>
        join.onRef("d.workspace_id", "=", "c.workspace_id").onRef("d.id", "=", "c.document_id"),
      )
      .where("c.workspace_id", "=", workspaceId)
      .where("c.deleted_at", "is", null);
    for (const key of words.wanted) rows = rows.where(has(key));
    for (const key of words.unwanted) rows = rows.where((eb) => eb.not(has(key)));
    for (const condition of conditions) rows = rows.where(condition as never);
    return rows;
  };
  const { total, documents } = await matching()
    .select((eb) => [eb.fn.countAll().as("total"), eb.fn.count("c.document_id").distinct().as("documents")])
    .executeTakeFirstOrThrow();
  const hits = {
    total: Number(total),
    documents: Number(documents),
    all_words: Number(total),
    content: Number(total),
    title: 0,
  };
  return pageOf(
    app.secret,
    ["comments", workspaceId, words, filter],
    { limit: 20, ...input },
    {
      fetch: async ([before], size) => {
        const rows = await matching()
          .selectAll("c")
          .$if(before !== undefined, (page) => page.where("c.id", "<", String(before)))
          .orderBy("c.id", "desc")
          .limit(size)
          .execute();
        return withDocuments(db, workspaceId, rows);
      },
      keyOf: ({ id }) => [id],
      represent: (row) => hitOf(row, words),
      more: { hits, projection: { complete: true, stale_count: 0, stale_document_ids: [] } },
    },
  );
}

async function withDocuments(db: Reader, workspaceId: string, rows: readonly CommentRow[]): Promise<Found[]> {
  const ids = [...new Set(rows.map(({ document_id }) => document_id))];
  if (ids.length === 0) return [];
  const documents = await db
    .selectFrom("documents")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  const places = new Map<string, Pick<Found, "document" | "pathText">>();
  for (const document of documents)
    places.set(document.id, { document, pathText: (await readPath(db, document)).path_text });
  return rows.flatMap((row) => {
    const place = places.get(row.document_id);
    return place ? { ...row, ...place } : [];
  });
}

const CONTEXT = 80;

/** Returns the first occurrence of a word with the text around it. */
function contextOf(text: string, { wanted }: Words) {
  const [at, length] = wanted
    .map((key) => [text.toLowerCase().indexOf(key), key.length] as const)
    .find(([at]) => at >= 0) ?? [0, 0];
  const before = text.slice(Math.max(0, at - CONTEXT), at);
  return {
    before: before.toWellFormed(),
    match: text.slice(at, at + length).toWellFormed(),
    after: text.slice(at + length, at + length + CONTEXT).toWellFormed(),
  };
}

const hitOf = (row: Found, words: Words) => ({
  document_id: row.document_id,
  title: row.document.title,
  knowledge_base_id: row.document.knowledge_base_id,
  folder_id: row.document.folder_id,
  document_type: row.document.document_type,
  block_id: row.anchor_block_id,
  comment_id: row.id,
  thread_id: row.thread_id,
  document_uri: `svc://doc/${row.document_id}`,
  path_text: row.pathText,
  heading_path: [],
  matched_in: "comment" as const,
  context: contextOf(row.markdown ?? "", words),
  missing: [],
  source_version: row.document.version,
  indexed_version: row.document.version,
  freshness: "current" as const,
  updated_at: row.updated_at,
  score: 1,
});
