import { type Html, html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { confirm, form } from "../../parts.ts";
import { time } from "../../time.ts";
import { type DocumentHead, documentTop, hereOf } from "./document-top.ts";

/** A state that the browser keeps beside the versions: before an editing session, or because somebody wanted it. */
interface RestorePoint {
  readonly id: string;
  readonly createdAt: number;
  readonly reason: "session" | "kept";
  readonly person: string | null;
}

interface RestorePoints {
  readonly head: DocumentHead;
  readonly points: readonly RestorePoint[];
  readonly formToken: string;
  readonly now: number;
}

/** Below the versions: states of editing in the browser. */
export const restorePoints = ({ head, points, formToken, now }: RestorePoints): Html =>
  html`<section class="card" aria-labelledby="kept"><div class="card-head"><h2 id="kept">While editing</h2>
${head.canWrite && form(`/documents/${head.id}/kept`, formToken, html`<button class="button button-small">Keep this version</button>`)}</div>
<p class="hint">Editing in the browser makes no versions. What stood before somebody began to edit, and what somebody kept, stays here for 30 days.</p>
${points.length === 0 ? html`<p class="empty">Nothing is kept yet.${head.canWrite && " “Keep this version” keeps the text of now."}</p>` : html`<ol class="rows">${points.map((point) => row(head, point, now))}</ol>`}</section>`;

const row = (head: DocumentHead, { id, createdAt, reason, person }: RestorePoint, now: number): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title">${reason === "kept" ? "Kept" : "Before editing"}${person && html` by <bdi>${person}</bdi>`}</p>
<p class="row-facts"><span>${time(createdAt, now)}</span></p></div>
<a class="button button-small" href="/documents/${head.id}/kept/${id}">Read</a></li>`;

/** A kept state as it was, and the way back to it. */
export const restorePointPage = (input: {
  readonly head: DocumentHead;
  readonly id: string;
  readonly createdAt: number;
  readonly body: Html;
  readonly version: string;
  readonly formToken: string;
  readonly now: number;
}): Page => ({
  title: `Earlier state of ${input.head.title}`,
  here: hereOf(input.head),
  scripts: ["document.js"],
  main: html`${documentTop(input.head, "versions", input.now)}
<section class="card" aria-labelledby="state"><div class="card-head"><h2 id="state">As it was ${time(input.createdAt, input.now)}</h2>
${
  input.head.canWrite &&
  confirm(
    "Restore this state",
    "The text of now is kept as a version, so this can be undone.",
    form(
      `/documents/${input.head.id}/kept/${input.id}/restore`,
      input.formToken,
      html`<input type="hidden" name="version" value="${input.version}"><button class="button button-main">Restore</button>`,
    ),
  )
}</div>
<article class="prose">${input.body}</article></section>`,
});
