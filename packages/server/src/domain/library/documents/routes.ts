import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { makeNewBody } from "../../../bodies/parsing/parse-content.ts";
import { actorOf } from "../../../events/actor.ts";
import { ok, quoted } from "../../../http/answer.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { shownTo } from "../../../rights/shown-to.ts";
import { putFileAddresses } from "../file-addresses/queries.ts";
import { resolvePlace } from "../folders/place.ts";
import { changeDocument } from "./change-document.ts";
import { createDocument } from "./create-document.ts";
import { listPage } from "./list-page.ts";
import { getDocument, lookUpDocument } from "./queries.ts";
import { readPath } from "./read-path.ts";
import { describeDocument, describeShared, documentJson } from "./represent.ts";
import {
  Document,
  DocumentChange,
  DocumentParams,
  DocumentPath,
  DocumentQuery,
  exampleDocument,
  NewDocument,
} from "./schema.ts";

const tag = "Documents";

export const documentRoutes: Route[] = [
  read({
    operation: "list_documents",
    path: "/documents",
    tag,
    summary: "Documents, by id or newest change first.",
    description:
      "Without `include_variants` or `locale` only ordinary documents and source-language versions are listed. The boundary of `updated_since` is included, so de-duplicate by `id`.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    query: DocumentQuery,
    errors: ["not_found", "invalid_locale"],
    success: { status: 200, description: "A page of them.", data: Document, list: true, example: exampleDocument },
    handler: ({ app, caller, db, query }) => listPage(app, db, caller.workspaceId, query),
  }),
  post({
    operation: "create_document",
    sharesCommit: true,
    path: "/documents",
    tag,
    summary: "Make a document, with its body if you like.",
    scopes: ["documents:write"],
    access: {
      action: "create",
      subject: "document",
      writes: { knowledge_base_id: "knowledge_base", folder_id: "folder" },
    },
    body: NewDocument,
    bodyExample: {
      title: "Getting started",
      knowledge_base_id: 7,
      content: { format: "markdown", content: "Hello world" },
    },
    errors: [
      "not_found",
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
    prepare: ({ app, body }) =>
      makeNewBody(body.content, body.document_type ?? "document", app.config).catch((refusal: Error) => refusal),
    handler: async (input) => {
      const { app, caller, tx, body, prepared } = input;
      if (prepared instanceof Error) {
        const wanted = { knowledgeBaseId: body.knowledge_base_id, folderId: body.folder_id };
        await resolvePlace(tx, caller.workspaceId, wanted);
        throw prepared;
      }
      const text = body.content?.format === "markdown" ? splitFrontMatter(body.content.content) : undefined;
      const document = await createDocument(app, tx, {
        workspaceId: caller.workspaceId,
        title: body.title,
        knowledgeBaseId: body.knowledge_base_id,
        folderId: body.folder_id,
        fileName: body.file_name,
        documentType: body.document_type,
        headingNumbered: body.heading_numbered,
        backgroundColor: body.background_color,
        collapsedBlockIds: body.collapsed_block_ids,
        isTemplate: body.is_template,
        body: prepared,
        frontMatter: text?.frontMatter,
        actor: actorOf(input),
      });
      if (body.content?.format === "markdown" && body.content.file_addresses)
        await putFileAddresses(
          tx,
          { workspaceId: caller.workspaceId, documentId: document.id },
          body.content.file_addresses,
        );
      const headers = { etag: quoted(document.version) };
      return { status: 201, headers, dataJson: documentJson(document), createdId: document.id };
    },
  }),
  read({
    operation: "get_document",
    path: "/documents/{id}",
    tag,
    summary: "One document's metadata.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    success: { status: 200, description: "It.", data: Document, example: exampleDocument },
    handler: ({ caller, db, params }) => {
      const found = lookUpDocument(db, caller.workspaceId, params.id);
      const data =
        found instanceof Promise ? found.then((row) => describeDocument(db, row)) : describeShared(db, found);
      return data instanceof Promise ? data.then((dataJson) => ({ dataJson })) : { dataJson: data };
    },
  }),
  patch({
    operation: "change_document",
    path: "/documents/{id}",
    tag,
    summary: "Change title, place or settings.",
    description: "A field left out stays as it is.",
    scopes: ["documents:write"],
    access: {
      action: "write",
      subject: "document",
      writes: { knowledge_base_id: "knowledge_base", folder_id: "folder" },
    },
    params: DocumentParams,
    body: DocumentChange,
    bodyExample: { title: "First steps" },
    success: { status: 200, description: "It, changed.", data: Document, example: exampleDocument },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const change = {
        title: body.title,
        fileName: body.file_name,
        knowledgeBaseId: body.knowledge_base_id,
        folderId: body.folder_id,
        headingNumbered: body.heading_numbered,
        backgroundColor: body.background_color,
        collapsedBlockIds: body.collapsed_block_ids,
        isTemplate: body.is_template,
        place: body.place,
      };
      const { workspaceId } = caller;
      const shown = shownTo(tx, caller);
      const document = await changeDocument(app, tx, {
        workspaceId,
        id: params.id,
        change,
        actor: actorOf(input),
        shown,
      });
      return { dataJson: await describeDocument(shown, document) };
    },
  }),
  read({
    operation: "get_document_path",
    path: "/documents/{id}/path",
    tag,
    summary: "The knowledge base and folders that contain a document.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    success: {
      status: 200,
      description: "From the top down.",
      data: DocumentPath,
      example: {
        knowledge_base: { id: 7, name: "Handbook" },
        folders: [{ id: 3, name: "Guides" }],
        document: { id: exampleDocument.id, title: "Getting started" },
        path_text: "Handbook / Guides / Getting started",
      },
    },
    handler: async ({ caller, db, params }) =>
      ok(await readPath(db, await getDocument(db, caller.workspaceId, params.id))),
  }),
];
