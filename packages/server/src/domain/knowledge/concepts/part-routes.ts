import { Type } from "typebox";
import { list } from "../../../http/answer.ts";
import { pageOf, rowsOfPage } from "../../../http/page.ts";
import { type Route, read } from "../../../http/route.ts";
import { cursor, limit, object } from "../../../http/schemas.ts";
import { getLiveConcept } from "./queries.ts";
import { listRelationsAfter } from "./relation-queries.ts";
import { relationOf, representSources } from "./represent.ts";
import { exampleRelation, exampleSource, Relation, Source } from "./schema.ts";
import { listSourcesAfter } from "./source-queries.ts";

const tag = "Concepts";
const params = Type.Object({ id: Type.String() });
const query = object({ limit: limit(), cursor: cursor() });
const scopes = ["concepts:read"] as const;

/** Lists of a concept that have no limit; the concept itself shows only the latest entries. */
export const conceptPartRoutes: Route[] = [
  read({
    operation: "list_concept_sources",
    path: "/concepts/{id}/sources",
    tag,
    summary: "All evidence of a concept, by document and block.",
    scopes,
    access: { action: "read", subject: "concept" },
    params,
    query,
    success: { status: 200, description: "A page of it.", data: Source, list: true, example: exampleSource },
    handler: async ({ app, caller, db, params, query }) => {
      const { workspaceId } = caller;
      const { id } = await getLiveConcept(db, workspaceId, params.id);
      const { shown, page } = await rowsOfPage(app.secret, ["concept-sources", id], query, {
        fetch: (after, size) => listSourcesAfter(db, workspaceId, id, after, size),
        keyOf: (row) => [row.source_document_id, row.source_block_id],
      });
      return list(await representSources(db, workspaceId, shown), page);
    },
  }),
  read({
    operation: "list_concept_relations",
    path: "/concepts/{id}/relations",
    tag,
    summary: "All relations of a concept, from it and to it, in the order in which they came to be.",
    scopes,
    access: { action: "read", subject: "concept" },
    params,
    query,
    success: { status: 200, description: "A page of them.", data: Relation, list: true, example: exampleRelation },
    handler: async ({ app, caller, db, params, query }) => {
      const { id } = await getLiveConcept(db, caller.workspaceId, params.id);
      return pageOf(app.secret, ["concept-relations", id], query, {
        fetch: ([after = ""], size) => listRelationsAfter(db, caller.workspaceId, id, String(after), size),
        keyOf: (row) => [row.id],
        represent: (row) => relationOf(row, id),
      });
    },
  }),
];
