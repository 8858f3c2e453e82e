import { frontMatterOf, sourceOf } from "@svc/document/properties/front-matter";
import { checkProperties, readProperties } from "@svc/document/properties/read-properties";
import { writeProperties } from "@svc/document/properties/write-properties";
import { Type } from "typebox";
import { readJson } from "../../../db/schema/json-text.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { actorOf } from "../../../events/actor.ts";
import { notModified, ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { alreadyHas, checkExpected, requireExpected } from "../../../http/preconditions.ts";
import { put, type Route, read } from "../../../http/route.ts";
import { cursor, integerId, limit, object } from "../../../http/schemas.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { getFrontMatter, listTags } from "./queries.ts";
import { DocumentProperties, exampleProperties, PropertiesInput, PropertyTag } from "./schema.ts";
import { lockProperties, propertiesVersion, setProperties } from "./set-properties.ts";

const tag = "Documents";
const params = Type.Object({ id: Type.String() });

function answer({ properties, front_matter }: Pick<DocumentRow, "properties" | "front_matter">) {
  const version = propertiesVersion(front_matter);
  return ok({ properties: readJson(properties), source: sourceOf(front_matter), version }, { etag: version });
}

/** The requested source: the given one, or the previous one with new values. */
function wantedSource(body: { properties?: unknown } | { source?: string }, before: string): string {
  if ("source" in body && body.source !== undefined) {
    readProperties(body.source);
    return body.source;
  }
  return writeProperties(checkProperties((body as { properties: unknown }).properties), before);
}

export const propertyRoutes: Route[] = [
  read({
    operation: "get_properties",
    path: "/documents/{id}/properties",
    tag,
    summary: "A document's properties: its front matter.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params,
    etag: true,
    success: { status: 200, description: "They.", data: DocumentProperties, example: exampleProperties },
    handler: async ({ caller, db, params, request }) => {
      const row = await getFrontMatter(db, caller.workspaceId, params.id);
      const version = propertiesVersion(row.front_matter);
      return alreadyHas(request.headers["if-none-match"], version) ? notModified(version) : answer(row);
    },
  }),
  put({
    operation: "put_properties",
    path: "/documents/{id}/properties",
    tag,
    summary: "Replace a document's properties.",
    description:
      "By value (`properties`: the lines of those that stay are kept as they were written) or by their YAML (`source`). A Markdown write that begins with front matter sets them too, one without leaves them as they are.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params,
    body: PropertiesInput,
    bodyExample: { properties: { status: "done" } },
    ifMatch: "required",
    etag: true,
    errors: ["invalid_properties"],
    success: { status: 200, description: "They, as stored.", data: DocumentProperties, example: exampleProperties },
    handler: async (input) => {
      const { app, caller, tx, params, body, ifMatch } = input;
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const { front_matter: before } = await lockProperties(tx, key);
      checkExpected(requireExpected(ifMatch), propertiesVersion(before));
      const source = wantedSource(body, sourceOf(before));
      const frontMatter = frontMatterOf(source, before);
      return answer(await setProperties(app, tx, { key, frontMatter, actor: actorOf(input) }));
    },
  }),
  read({
    operation: "list_tags",
    path: "/knowledge-bases/{id}/tags",
    tag: "Knowledge bases",
    summary: "The tags of its documents (the property `tags`), those of most documents first.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "knowledge_base" },
    params: Type.Object({ id: integerId() }),
    query: object({ limit: limit(100), cursor: cursor() }),
    success: {
      status: 200,
      description: "A page of them.",
      data: PropertyTag,
      list: true,
      example: { tag: "guide", count: 12 },
    },
    handler: async ({ app, caller, db, params, query }) => {
      await getKnowledgeBase(db, caller.workspaceId, params.id);
      return pageOf(app.secret, ["tags", params.id], query, {
        fetch: (after, size) => listTags(db, caller.workspaceId, params.id, after, size),
        keyOf: (row) => [row.count, row.tag],
        represent: (row) => row,
      });
    },
  }),
];
