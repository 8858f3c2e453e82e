import { getAttachment } from "../../../domain/content/attachments/queries.ts";
import { AttachmentParams } from "../../../domain/content/attachments/schema.ts";
import { ok } from "../../../http/answer.ts";
import { type Route, read } from "../../../http/route.ts";
import { readText } from "./read-text.ts";
import { exampleFileText, FileTextAnswer, FileTextQuery } from "./schema.ts";

export const fileTextRoutes: Route[] = [
  read({
    operation: "read_attachment_text",
    path: "/attachments/{id}/text",
    tag: "Attachments",
    summary: "The text of a file, page by page.",
    description:
      "Covers PDF, Word, Excel, PowerPoint, OpenDocument, HTML and plain text. A file is read soon after its upload; `text_status` is `pending` until then. Whole pages that fit `max_tokens`, at least one, which is cut if it is longer.",
    scopes: ["attachments:read"],
    access: { action: "read", subject: "attachment" },
    params: AttachmentParams,
    query: FileTextQuery,
    success: { status: 200, description: "Some pages.", data: FileTextAnswer, example: exampleFileText },
    handler: async ({ app, caller, db, params, query }) =>
      ok(await readText(db, app.config, await getAttachment(db, caller.workspaceId, params.id), query)),
  }),
];
