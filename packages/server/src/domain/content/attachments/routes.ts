import { Type } from "typebox";
import { readBody } from "../../../bodies/load-body.ts";
import { actorOf } from "../../../events/actor.ts";
import { created, deleted, ok } from "../../../http/answer.ts";
import { post, type Route, read, remove } from "../../../http/route.ts";
import { cursor, deletedSchema, flag, limit, object } from "../../../http/schemas.ts";
import { requireRoleIn } from "../../../rights/rights.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { deleteAttachment } from "./delete-attachment.ts";
import { download } from "./download.ts";
import { listPage } from "./list-page.ts";
import { getAttachment } from "./queries.ts";
import { keepUpload, receiveUpload } from "./receive-upload.ts";
import { countReferences } from "./references.ts";
import { attachmentOf } from "./represent.ts";
import { restoreAttachment } from "./restore-attachment.ts";
import { Attachment, AttachmentParams, exampleAttachment, Upload } from "./schema.ts";

const tag = "Attachments";

export const attachmentRoutes: Route[] = [
  post({
    operation: "upload_attachment",
    path: "/attachments",
    tag,
    summary: "Upload a file to a document.",
    description:
      "`multipart/form-data` with the parts `document_id` and `file`, in any order. To show it, put its `markdown` into that document's text, or an `image`, `inlineImage` or `attachment` node with its id as `attachmentId`. A repeated `Idempotency-Key` compares the fields and the content of the file, not the encoding.",
    scopes: ["attachments:write"],
    access: { action: "create", subject: "attachment", checkedByHandler: true },
    multipart: true,
    body: Upload,
    bodyExample: { document_id: exampleAttachment.document_id, file: "…bytes…" },
    errors: ["not_found", "quota_exceeded"],
    success: { status: 201, description: "The new attachment.", data: Attachment, example: exampleAttachment },
    prepare: ({ app, caller, db, parts, afterwards, request }) =>
      receiveUpload({
        app,
        db,
        workspaceId: caller.workspaceId,
        admit: (knowledgeBaseId) => requireRoleIn(caller, knowledgeBaseId, "editor"),
        contentLength: Number(request.headers["content-length"] ?? 0),
        parts: parts(),
        afterwards,
      }),
    fingerprint: ({ documentId, file }) => JSON.stringify([documentId, file.file_name, file.sha256]),
    handler: async (input) => {
      const { app, caller, tx, prepared } = input;
      return created(
        attachmentOf(await keepUpload(app, tx, prepared, caller.workspaceId, actorOf(input)), 0, app.config),
      );
    },
  }),
  read({
    operation: "download_attachment",
    path: "/attachments/{id}",
    tag,
    summary: "The file itself.",
    description:
      "Common raster images and PDF are sent for showing in place, all else for saving. The `ETag` is the content's SHA-256.",
    scopes: ["attachments:read"],
    access: { action: "read", subject: "attachment" },
    params: AttachmentParams,
    etag: true,
    success: {
      status: 200,
      description: "The file.",
      content: ["application/octet-stream"],
      ranges: true,
      headers: { "Content-Disposition": "`inline` or `attachment`, with the file name.", "Accept-Ranges": "`bytes`." },
    },
    handler: async ({ app, caller, db, params, request }) =>
      download(app.blobs, await getAttachment(db, caller.workspaceId, params.id), request),
  }),
  read({
    operation: "get_attachment_metadata",
    path: "/attachments/{id}/metadata",
    tag,
    summary: "A file's metadata, and how often the body shows it.",
    scopes: ["attachments:read"],
    access: { action: "read", subject: "attachment" },
    params: AttachmentParams,
    success: { status: 200, description: "It.", data: Attachment, example: exampleAttachment },
    handler: async ({ app, caller, db, params }) => {
      const row = await getAttachment(db, caller.workspaceId, params.id);
      const body = await readBody(db, { workspaceId: caller.workspaceId, documentId: row.document_id });
      return ok(attachmentOf(row, countReferences(body.blocks, row.id), app.config));
    },
  }),
  read({
    operation: "list_attachments",
    path: "/documents/{id}/attachments",
    tag,
    summary: "A document's attachments, oldest first.",
    scopes: ["attachments:read", "documents:read"],
    access: { action: "read", subject: "document" },
    params: Type.Object({ id: Type.String() }),
    query: object({ limit: limit(), cursor: cursor() }),
    success: {
      status: 200,
      description: "A page of them.",
      data: Attachment,
      list: true,
      example: exampleAttachment,
    },
    handler: async ({ app, caller, db, params, query }) => {
      const { workspaceId } = caller;
      await getDocument(db, workspaceId, params.id);
      const key = { workspaceId, documentId: params.id };
      return listPage(app, db, key, await readBody(db, key), query);
    },
  }),
  remove({
    operation: "delete_attachment",
    path: "/attachments/{id}",
    tag,
    summary: "Delete a file.",
    description:
      "While the body shows it this is refused with `attachment_referenced`, unless `force=true`: then the nodes that show it are taken out of the body, whose prior state is kept as a snapshot. `POST /attachments/{id}/restore` undoes the deletion.",
    scopes: ["attachments:write", "documents:write"],
    access: { action: "write", subject: "attachment" },
    params: AttachmentParams,
    query: object({ force: flag("Also take the nodes that show it out of the body.") }),
    errors: ["attachment_referenced"],
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: exampleAttachment.id, deleted: true },
    },
    handler: async (input) => {
      const { app, caller, tx, params, query } = input;
      const { workspaceId } = caller;
      await deleteAttachment(app, tx, {
        workspaceId,
        id: params.id,
        force: query.force === true,
        actor: actorOf(input),
      });
      return deleted(params.id);
    },
  }),
  post({
    operation: "restore_attachment",
    path: "/attachments/{id}/restore",
    tag,
    summary: "Take the deletion of a file back.",
    description:
      "For as long as the trash keeps things: the same id and content. What `force=true` took out of the body comes back with it if the body has not changed since; otherwise `reference_count` is 0 and an earlier state can be put back.",
    scopes: ["attachments:write", "documents:write"],
    access: { action: "write", subject: "attachment" },
    params: AttachmentParams,
    errors: ["quota_exceeded"],
    success: { status: 200, description: "It, as it was.", data: Attachment, example: exampleAttachment },
    handler: async (input) => {
      const { app, caller, tx, params } = input;
      const { workspaceId } = caller;
      const row = await restoreAttachment(app, tx, { workspaceId, id: params.id, actor: actorOf(input) });
      const body = await readBody(tx, { workspaceId, documentId: row.document_id });
      return ok(attachmentOf(row, countReferences(body.blocks, row.id), app.config));
    },
  }),
];
