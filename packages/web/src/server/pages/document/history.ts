import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form, plural } from "../../../shared/parts.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf } from "./document-top.ts";
import {
  addressOf,
  dayAndTime,
  type HistoryEntry,
  type HistoryList,
  historyList,
  verbs,
  writersPart,
} from "./history-list.ts";
import { type Difference, differenceItem } from "./versions.ts";

interface AboutHistory extends HistoryList {
  readonly head: DocumentHead;
  readonly now: number;
  readonly formToken: string;
}

/** The list as a page of its own. */
export const historyPage = ({ head, now, formToken, ...list }: AboutHistory): Page => ({
  title: `History of ${head.title}`,
  here: hereOf(head),
  main: html`${documentTop(head, "versions", now)}
<section aria-labelledby="history"><div class="card-head"><h2 id="history">History</h2>
${head.canWrite && nameForm(head, list.current, null, formToken, "Keep this version")}</div>
${historyList(list)}</section>`,
});

/** A version with a name stays for ever. */
const nameForm = (
  head: DocumentHead,
  id: string | undefined,
  name: string | null,
  formToken: string,
  label: string,
): Part =>
  id !== undefined &&
  html`<details class="confirm"><summary class="button button-small">${label}</summary><div class="confirm-box"><p>A version with a name is kept for ever.</p>${form(
    `${addressOf(head.id, id)}/name`,
    formToken,
    html`<label>Name <input name="name" maxlength="500" value="${name ?? ""}"${name === null && html` required`}></label><button class="button button-main">Save</button>`,
  )}</div></details>`;

interface OneVersion {
  readonly head: DocumentHead;
  readonly entry: HistoryEntry;
  readonly current: string | undefined;
  readonly zone: string;
  readonly compared: "before" | "current";
  readonly differences: { readonly shown: readonly Difference[]; readonly more: number };
  /** The version to go back to after a restore. */
  readonly undo: string | undefined;
  readonly formToken: string;
  readonly now: number;
}

const restoreForm = (head: DocumentHead, id: string, formToken: string, label: string): Part =>
  head.canWrite &&
  form(`${addressOf(head.id, id)}/restore`, formToken, html`<button class="button button-small">${label}</button>`);

/** One version: its changes from the one before it, and the way back to it. */
export const historyEntryPage = (input: OneVersion): Page => {
  const { head, entry, current, compared, differences, undo, formToken } = input;
  const base = addressOf(head.id, entry.id);
  return {
    title: `Version of ${head.title}`,
    here: hereOf(head),
    scripts: ["document.js"],
    main: html`${documentTop(head, "versions", input.now)}
${undo && html`<div class="banner" role="status"><p>Version restored. The previous text is in History.</p>${restoreForm(head, undo, formToken, "Undo")}</div>`}
<section class="version" aria-labelledby="difference" data-history-entry><div class="card-head"><h2 id="difference" tabindex="-1">${entry.name ?? dayAndTime(entry, input.zone)}</h2>
<div class="row-actions"><a class="button button-small" href="/documents/${head.id}/versions">All versions</a>
${compared === "current" ? html`<a class="button button-small" href="${base}">Show changes</a>` : html`<a class="button button-small" href="${base}?with=current">Compare with current</a>`}
<a class="button button-small" href="${base}/text">Read</a>
${head.canWrite && nameForm(head, entry.id, entry.name, formToken, entry.name === null ? "Name" : "Rename")}
${entry.id !== current && restoreForm(head, entry.id, formToken, "Restore")}</div></div>
<p class="hint">${writersPart(entry.by)} ${verbs[entry.kind]}</p>
${differences.shown.length === 0 ? html`<p class="empty">No difference.</p>` : html`<ol class="differences">${differences.shown.map(differenceItem)}</ol>`}
${differences.more > 0 && html`<p class="hint">And ${plural(differences.more, "more change")}.</p>`}
</section>`,
  };
};

/** The text of a version, read-only. */
export const historyTextPage = (input: {
  readonly head: DocumentHead;
  readonly entry: HistoryEntry;
  readonly body: Html;
  readonly zone: string;
  readonly formToken: string;
  readonly now: number;
}): Page => ({
  title: `Version of ${input.head.title}`,
  here: hereOf(input.head),
  scripts: ["document.js"],
  main: html`${documentTop(input.head, "versions", input.now)}
<section class="version" aria-labelledby="version" data-history-entry><div class="card-head"><h2 id="version" tabindex="-1">${input.entry.name ?? dayAndTime(input.entry, input.zone)}</h2>
<div class="row-actions"><a class="button button-small" href="${addressOf(input.head.id, input.entry.id)}">Show changes</a>${restoreForm(input.head, input.entry.id, input.formToken, "Restore")}</div></div>
<p class="hint">An earlier text, read-only.</p>
<article class="prose">${input.body}</article></section>`,
});
