import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form, plural } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

interface Discarded {
  readonly id: string;
  readonly kind: "document" | "folder";
  readonly name: string;
  readonly documents: number;
  /** Share links that ended with it. */
  readonly endedLinks: number;
  readonly knowledgeBase: string | undefined;
  readonly deletedBy: string | undefined;
  readonly deletedAt: number;
  readonly expiresAt: number;
  readonly canRestore: boolean;
}

interface Trash {
  readonly discarded: readonly Discarded[];
  readonly retentionDays: number;
  readonly formToken: string;
  readonly next: string | undefined;
  readonly now: number;
}

export const trashPage = (input: Trash): Page => ({
  title: "Trash",
  main: html`<nav aria-label="Path"><ol class="trail"><li><a href="/knowledge-bases">Knowledge bases</a></li></ol></nav>
<h1>Trash</h1>
<p class="lead">${
    input.retentionDays === 0
      ? "The trash is off: deleted pages are gone permanently."
      : `Deleted pages and folders are kept for ${plural(input.retentionDays, "day")}.`
  }</p>
<section class="card" aria-label="Deleted">
${input.discarded.length === 0 ? html`<p class="empty">The trash is empty.</p>` : html`<ul class="rows">${input.discarded.map((one) => row(one, input))}</ul>`}
${input.next && html`<p><a class="button" href="${input.next}">Older</a></p>`}
</section>`,
});

const row = (one: Discarded, { formToken, now }: Trash): Html =>
  html`<li class="row"><div class="row-main"><p class="row-title"><bdi>${one.name}</bdi> ${one.kind === "folder" && html`<span class="tag">folder</span>`}</p>
<p class="row-facts">${one.kind === "folder" && html`<span>${plural(one.documents, "page")}</span>`}${one.knowledgeBase && html`<span><bdi>${one.knowledgeBase}</bdi></span>`}<span>Deleted ${time(one.deletedAt, now)} by <bdi>${one.deletedBy ?? "a former member"}</bdi></span>${one.endedLinks > 0 && html`<span>${plural(one.endedLinks, "share link")} ended</span>`}<span>Deleted permanently ${time(one.expiresAt, now)}</span></p></div>
${one.canRestore && restoreForm(one, formToken)}</li>`;

const restoreForm = ({ id, name }: Discarded, formToken: string): Part =>
  form(
    `/trash/${id}/restore`,
    formToken,
    html`<button class="button button-small">Restore<span class="visually-hidden"> ${name}</span></button>`,
  );
