import { hash } from "node:crypto";
import { type Properties, textsOf } from "@svc/document/properties/read-properties";
import type { ExpressionBuilder } from "kysely";
import type { Reader, Tx } from "../../../db/database.ts";
import type { DocumentPropertyRow, DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { statement } from "../../../db/statement/statement.ts";
import { notFound } from "../../../errors.ts";

type FrontMatter = Pick<DocumentRow, "properties" | "front_matter">;

const byDocument = statement<{ workspaceId: string; id: string }, Readonly<FrontMatter>>({
  select: "documents.workspace_id, documents.id, documents.properties, documents.front_matter",
  from: "documents",
  key: { workspaceId: "documents.workspace_id", id: "documents.id" },
});

export async function getFrontMatter(db: Reader, workspaceId: string, id: string): Promise<Readonly<FrontMatter>> {
  const row = await byDocument(db, { workspaceId, id });
  if (!row) throw notFound("document", id);
  return row;
}

/** Indexes accept short texts only; a longer value is found by its hash. */
const MAX_VALUE = 300;
export const valueKey = (text: string): string => (text.length <= MAX_VALUE ? text : `sha256:${hash("sha256", text)}`);

const rowsOf = (workspaceId: string, documentId: string, properties: Properties): DocumentPropertyRow[] =>
  Object.entries(properties).flatMap(([name, value]) =>
    [...new Set(textsOf(value).map(valueKey))].map((key) => ({
      workspace_id: workspaceId,
      document_id: documentId,
      name,
      value: key,
    })),
  );

const ROWS = 200;

export async function putValues(tx: Tx, workspaceId: string, id: string, properties: Properties): Promise<void> {
  const rows = rowsOf(workspaceId, id, properties);
  for (let i = 0; i < rows.length; i += ROWS)
    await tx
      .insertInto("document_properties")
      .values(rows.slice(i, i + ROWS))
      .execute();
}

export const removeValues = (tx: Tx, workspaceId: string, id: string): Promise<unknown> =>
  tx.deleteFrom("document_properties").where("workspace_id", "=", workspaceId).where("document_id", "=", id).execute();

/** A property's name, and the text that its value or a list member must have. */
export type PropertyFilter = readonly [name: string, value: string];

type Documents = Tables & { d: DocumentRow };

/** Whether the document of the row called `alias` has a property; `key` is the value's. */
export const hasProperty =
  <Alias extends "documents" | "d">(name: string, key: string, alias: Alias) =>
  (eb: ExpressionBuilder<Documents, Alias>) => {
    const outer = eb as unknown as ExpressionBuilder<Documents, "d">;
    return outer.exists(
      outer
        .selectFrom("document_properties as p")
        .select("p.document_id")
        .whereRef("p.workspace_id", "=", `${alias}.workspace_id` as "d.workspace_id")
        .whereRef("p.document_id", "=", `${alias}.id` as "d.id")
        .where("p.name", "=", name)
        .where("p.value", "=", key),
    );
  };

/** Search-index numbers of the documents with the property. */
export async function numbersWith(
  db: Reader,
  workspaceId: string,
  [name, value]: PropertyFilter,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("document_properties as p")
    .innerJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "p.workspace_id").onRef("s.document_id", "=", "p.document_id"),
    )
    .select("s.number")
    .where("p.workspace_id", "=", workspaceId)
    .where("p.name", "=", name)
    .where("p.value", "=", valueKey(value))
    .execute();
  return new Set(rows.map((row) => row.number));
}

/** Tags of a knowledge base with their number of documents, most first. */
export const listTags = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  [count, tag]: readonly (string | number)[],
  limit: number,
): Promise<{ tag: string; count: number }[]> =>
  db
    .selectFrom("document_properties as p")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "p.workspace_id").onRef("d.id", "=", "p.document_id"),
    )
    .select((eb) => ["p.value as tag", eb.cast<number>(eb.fn.countAll(), "integer").as("count")])
    .where("p.workspace_id", "=", workspaceId)
    .where("p.name", "=", "tags")
    .where("d.knowledge_base_id", "=", knowledgeBaseId)
    .where((eb) => eb.or([eb("d.variant_role", "is", null), eb("d.variant_role", "!=", "target")]))
    .where("p.value", "not in", ["null", ""])
    .groupBy("p.value")
    .$if(count !== undefined, (rows) =>
      rows.having((eb) =>
        eb.or([
          eb(eb.fn.countAll(), "<", Number(count)),
          eb.and([eb(eb.fn.countAll(), "=", Number(count)), eb("p.value", ">", String(tag))]),
        ]),
      ),
    )
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .orderBy("p.value")
    .limit(limit)
    .execute();
