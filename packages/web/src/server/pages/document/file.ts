import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { fileSize, plural } from "../../../shared/parts.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf } from "./document-top.ts";

interface ShownFile {
  readonly id: string;
  readonly file_name: string;
  readonly content_type: string;
  readonly size: number;
}

interface FileText {
  readonly text_status: "pending" | "ready" | "none" | "failed";
  readonly reason: string | null;
  readonly page_count: number;
  readonly truncated: boolean;
  readonly pages: readonly { readonly page: number; readonly label: string | null; readonly text: string }[];
  readonly next_page: number | null;
}

interface OneFile {
  readonly head: DocumentHead;
  readonly file: ShownFile;
  readonly text: FileText;
  readonly now: number;
}

/** The page of one file: its preview if a browser can show it safely, and its text. */
export const filePage = ({ head, file, text, now }: OneFile): Page => ({
  title: `${file.file_name} in ${head.title}`,
  here: hereOf(head),
  scripts: ["document.js"],
  main: html`${documentTop(head, "file", now)}
<section class="card" aria-labelledby="file"><div class="card-head"><h2 id="file"><bdi>${file.file_name}</bdi></h2>
<div class="row-actions"><a class="button button-small" href="/documents/${head.id}#files">All files</a><a class="button button-small" href="/files/${file.id}" download="${file.file_name}">Download</a></div></div>
<p class="hint">${fileSize(file.size)}${text.page_count > 0 && ` \u00b7 ${plural(text.page_count, "page")} of text`}</p>
${previewOf(file)}
${textPart(head, file, text)}</section>`,
});

/** Only types that cannot run anything: everything else is offered for download alone. */
function previewOf({ id, file_name, content_type }: ShownFile): Part {
  if (/^image\/(?:png|apng|jpeg|gif|webp|avif)$/.test(content_type))
    return html`<p class="file-preview"><img src="/files/${id}" alt="${file_name}"></p>`;
  if (content_type === "application/pdf")
    return html`<details class="file-preview"><summary class="button button-small">Preview</summary><iframe src="/files/${id}" title="Preview of ${file_name}" loading="lazy" referrerpolicy="no-referrer"></iframe></details>`;
  return undefined;
}

const reasons: Readonly<Record<string, string>> = {
  encrypted: "The file is encrypted, so its text cannot be read.",
  damaged: "The file is damaged, so its text cannot be read.",
  too_large: "The file is too large for its text to be read.",
  too_slow: "Reading the text of the file took too long.",
  empty: "The file has no text. A scanned page is a picture.",
};

function textPart(head: DocumentHead, file: ShownFile, text: FileText): Part {
  if (text.text_status === "pending") return html`<p class="empty">The text is being read. Reload in a moment.</p>`;
  if (text.text_status !== "ready")
    return html`<p class="empty">${reasons[text.reason ?? ""] ?? "This type of file has no text to show."}</p>`;
  const address = `/documents/${head.id}/files/${file.id}`;
  const first = text.pages[0]?.page ?? 1;
  return html`${first > 1 && html`<p><a href="${address}">From the first page</a></p>`}
${text.pages.map((page) => html`<section class="file-page" id="page-${page.page}" aria-label="Page ${page.page}"><h3>${page.label === null ? html`Page ${page.page}` : html`<bdi>${page.label}</bdi>, part ${page.page}`}</h3><div class="file-text" dir="auto">${page.text}</div></section>`)}
${text.next_page && html`<p><a class="button" href="${address}?page=${text.next_page}">Next pages</a></p>`}
${text.truncated && !text.next_page && html`<p class="hint">The file has more text than is kept.</p>`}`;
}
