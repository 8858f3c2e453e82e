import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { Type } from "typebox";
import { makeNewBody } from "../../../bodies/parsing/parse-content.ts";
import { BodyContent } from "../../../bodies/parsing/schema.ts";
import { actorOf } from "../../../events/actor.ts";
import { quoted } from "../../../http/answer.ts";
import { post, type Route } from "../../../http/route.ts";
import { name, object } from "../../../http/schemas.ts";
import { getDocument } from "../documents/queries.ts";
import { documentJson } from "../documents/represent.ts";
import { Document, DocumentParams, exampleDocument } from "../documents/schema.ts";
import { makeSubpage } from "./make-subpage.ts";

export const subpageRoutes: Route[] = [
  post({
    operation: "create_subpage",
    path: "/documents/{id}/subpages",
    tag: "Documents",
    summary: "Make a page below a page.",
    description:
      "If the page is not the index page of a folder yet, a folder with its title takes its place and holds both, all in one change.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params: DocumentParams,
    body: object({ title: name(), content: Type.Optional(BodyContent) }),
    bodyExample: { title: "First steps", content: { format: "markdown", content: "Hello world" } },
    errors: [
      "quota_exceeded",
      "invalid_document",
      "duplicate_block_id",
      "duplicate_anchor",
      "unknown_anchor",
      "document_too_large",
      "attachment_not_found",
      "invalid_properties",
    ],
    etag: true,
    success: { status: 201, description: "The new document.", data: Document, example: exampleDocument },
    prepare: ({ app, body }) => makeNewBody(body.content, "document", app.config).catch((refusal: Error) => refusal),
    handler: async (input) => {
      const { app, caller, tx, params, body, prepared } = input;
      if (prepared instanceof Error) {
        await getDocument(tx, caller.workspaceId, params.id);
        throw prepared;
      }
      const text = body.content?.format === "markdown" ? splitFrontMatter(body.content.content) : undefined;
      const document = await makeSubpage(app, tx, {
        workspaceId: caller.workspaceId,
        parentId: params.id,
        title: body.title,
        body: prepared,
        frontMatter: text?.frontMatter,
        actor: actorOf(input),
      });
      const headers = { etag: quoted(document.version) };
      return { status: 201, headers, dataJson: documentJson(document), createdId: document.id };
    },
  }),
];
