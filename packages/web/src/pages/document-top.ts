import { type Html, html, type Part } from "../html.ts";
import { plural } from "../parts.ts";
import { time } from "../time.ts";
import { documentIcon, type Named, trail } from "./browse.ts";

export interface DocumentHead {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
  readonly locale: string | null;
  readonly updatedAt: number;
  readonly characters: number;
  readonly knowledgeBase: Named;
  readonly folders: readonly Named[];
  readonly canWrite: boolean;
}

/** Path, title and the ways into a document: the same on all its pages. */
export const documentTop = (
  head: DocumentHead,
  here: "read" | "versions" | "translations",
  now: number,
): Html => html`<div class="top">
${trail(head.knowledgeBase, head.folders)}
<h1 class="document-title">${documentIcon(head.type)}<bdi>${head.title}</bdi></h1>
<p class="row-facts"><span>Changed ${time(head.updatedAt, now)}</span><span>${plural(head.characters, "character")}</span>${head.locale && html`<span>${head.locale}</span>`}</p>
<nav class="tabs" aria-label="Document">${tab(head.id, "", "Read", here === "read")}${tab(head.id, "/versions", "Versions", here === "versions")}</nav>
</div>`;

const tab = (id: string, path: string, label: string, isHere: boolean): Part =>
  html`<a href="/documents/${id}${path}" ${isHere && html`aria-current="page"`}>${label}</a>`;
