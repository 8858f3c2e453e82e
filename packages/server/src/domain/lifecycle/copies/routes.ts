import { Type } from "typebox";
import { actorOf } from "../../../events/actor.ts";
import { quoted } from "../../../http/answer.ts";
import { post, type Route } from "../../../http/route.ts";
import { integerId, name, nullable, object } from "../../../http/schemas.ts";
import { documentJson } from "../../library/documents/represent.ts";
import { Document, DocumentParams, exampleDocument } from "../../library/documents/schema.ts";
import { copyDocument } from "./copy-document.ts";

export const copyRoutes: Route[] = [
  post({
    operation: "copy_document",
    path: "/documents/{id}/copy",
    tag: "Documents",
    summary: "Make a copy of a document, with its body and its files.",
    description:
      "Blocks and files get ids of their own. The copy stands beside the original unless a place is named, has the same title unless one is given, and is an ordinary document also when the original is a language version.",
    scopes: ["documents:write"],
    access: {
      action: "write",
      subject: "document",
      copiesTo: { knowledge_base_id: "knowledge_base", folder_id: "folder" },
    },
    params: DocumentParams,
    body: object({
      title: Type.Optional(name()),
      knowledge_base_id: Type.Optional(integerId("The target of the copy.")),
      folder_id: Type.Optional(nullable(integerId("null means the top level."))),
    }),
    bodyOptional: true,
    bodyExample: { title: "Getting started, for designers" },
    errors: ["quota_exceeded"],
    etag: true,
    success: { status: 201, description: "The copy.", data: Document, example: exampleDocument },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const document = await copyDocument(app, tx, {
        workspaceId: caller.workspaceId,
        id: params.id,
        title: body?.title,
        knowledgeBaseId: body?.knowledge_base_id,
        folderId: body?.folder_id,
        actor: actorOf(input),
      });
      const headers = { etag: quoted(document.version) };
      return { status: 201, headers, dataJson: documentJson(document), createdId: document.id };
    },
  }),
];
