import { estimateTokens } from "@svc/document/read/tokens";
import { borderBefore } from "@svc/search/snippet/text-border";
import type { Static } from "typebox";
import type { Config } from "../../../config.ts";
import type { Reader } from "../../../db/database.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import type { FileTextPageRow } from "../../../db/schema/tables/file-texts.ts";
import { textStatusOf } from "../../../domain/content/attachments/represent.ts";
import { invalidRequest } from "../../../errors.ts";
import { findFileText, listPages } from "./queries.ts";
import type { FileTextQuery } from "./schema.ts";

const PAGES_AT_ONCE = 50;

/** The text of a file from a given page on, within a token budget. */
export async function readText(
  db: Reader,
  config: Pick<Config, "fileText">,
  file: AttachmentRow,
  { page: first = 1, max_tokens: budget = 4000 }: Static<typeof FileTextQuery>,
) {
  const status = textStatusOf(file, config);
  const isReady = status === "ready";
  const known = status === "pending" ? undefined : await findFileText(db, file);
  const pageCount = isReady ? (known?.pages ?? 0) : 0;
  if (isReady && first > pageCount) throw invalidRequest("query.page", `must be at most ${pageCount}`);
  const window = await readWindow(db, file, isReady ? first : Infinity, pageCount, budget);
  return {
    attachment_id: file.id,
    document_id: file.document_id,
    file_name: file.file_name,
    text_status: status,
    reason: isReady ? null : (known?.reason ?? (status === "none" ? "unknown_type" : null)),
    page_count: pageCount,
    truncated: isReady && known?.truncated === 1,
    ...window,
  };
}

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

/** The longest beginning of a text within the budget, found by binary search. */
function beginning(text: string, budget: number): string {
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= budget) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, borderBefore(text, fits));
}
