import { estimateTokens } from "@svc/document/read/tokens";
import { borderBefore } from "@svc/search/snippet/text-border";
import type { Reader } from "../../../db/database.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import type { FileTextPageRow } from "../../../db/schema/tables/file-texts.ts";
import { getAttachment } from "../../../domain/content/attachments/queries.ts";
import { textStatusOf } from "../../../domain/content/attachments/represent.ts";
import { AttachmentParams } from "../../../domain/content/attachments/schema.ts";
import { invalidRequest } from "../../../errors.ts";
import { ok } from "../../../http/answer.ts";
import { type Route, read } from "../../../http/route.ts";
import { findFileText, listPages } from "./queries.ts";
import { exampleFileText, FileTextAnswer, FileTextQuery } from "./schema.ts";

const PAGES_AT_ONCE = 50;

export const fileTextRoutes: Route[] = [
  read({
    operation: "read_attachment_text",
    path: "/attachments/{id}/text",
    tag: "Attachments",
    summary: "The text of a file, page by page.",
    description:
      "Of PDF, Word, Excel, PowerPoint, OpenDocument, HTML and plain text. A file is read soon after its upload; `text_status` is `pending` until then. Whole pages that fit `max_tokens`, at least one, which is cut if it is longer.",
    scopes: ["attachments:read"],
    access: { action: "read", subject: "attachment" },
    params: AttachmentParams,
    query: FileTextQuery,
    success: { status: 200, description: "Some pages.", data: FileTextAnswer, example: exampleFileText },
    handler: async ({ app, caller, db, params, query }) => {
      const file = await getAttachment(db, caller.workspaceId, params.id);
      const status = textStatusOf(file, app.config);
      const known = status === "pending" ? undefined : await findFileText(db, file);
      const pageCount = status === "ready" ? (known?.pages ?? 0) : 0;
      const { page: first = 1, max_tokens: budget = 4000 } = query;
      if (query.page !== undefined && status === "ready" && first > pageCount)
        throw invalidRequest("query.page", `must be at most ${pageCount}`);
      const window = await readWindow(db, file, status === "ready" ? first : Infinity, pageCount, budget);
      return ok({
        attachment_id: file.id,
        document_id: file.document_id,
        file_name: file.file_name,
        text_status: status,
        reason: status === "ready" ? null : (known?.reason ?? (status === "none" ? "unknown_type" : null)),
        page_count: pageCount,
        truncated: status === "ready" && known?.truncated === 1,
        ...window,
      });
    },
  }),
];

type ShownPage = Pick<FileTextPageRow, "page" | "label" | "text"> & { readonly is_cut: boolean };

async function readWindow(db: Reader, file: AttachmentRow, first: number, pageCount: number, budget: number) {
  const pages: ShownPage[] = [];
  let used = 0;
  for (let from = first; from <= pageCount; from += PAGES_AT_ONCE) {
    for (const { page, label, text } of await listPages(db, file, from, PAGES_AT_ONCE)) {
      const tokens = estimateTokens(text);
      if (used + tokens <= budget) {
        pages.push({ page, label, text, is_cut: false });
        used += tokens;
        continue;
      }
      if (pages.length > 0) return { pages, next_page: page, used_tokens: used };
      const cut = beginning(text, budget);
      pages.push({ page, label, text: cut, is_cut: true });
      return { pages, next_page: page < pageCount ? page + 1 : null, used_tokens: estimateTokens(cut) };
    }
  }
  return { pages, next_page: null, used_tokens: used };
}

/** The longest beginning of a text within the budget, found by halving. */
function beginning(text: string, budget: number): string {
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= budget) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, borderBefore(text, fits));
}
