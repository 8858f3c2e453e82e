import { nearChanges } from "@svc/document/compare";
import { type Run, wordDiff } from "@svc/document/word-diff";
import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, form, plural, wrong } from "../../../shared/parts.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf } from "./document-top.ts";

interface Side {
  readonly text: string;
  readonly content: Html;
}

export interface Difference {
  readonly kind: "added" | "removed" | "modified" | "moved";
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  /** The text of the block above and below, where they did not change. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

const kindNames = { added: "Added", removed: "Removed", modified: "Changed", moved: "Moved" };

interface Restorable {
  readonly head: DocumentHead;
  readonly seq: number;
  readonly formToken: string;
}

/** The restore button for writers; `version` is the text that it replaces. */
const restorePart = ({ head, seq, formToken }: Restorable, version: string): Part =>
  head.canWrite &&
  confirm(
    `Restore version ${seq}`,
    "Your current text is saved as a version. You can undo this.",
    form(
      `/documents/${head.id}/versions/${seq}/restore`,
      formToken,
      html`<input type="hidden" name="version" value="${version}"><button class="button button-main">Restore</button>`,
    ),
  );

interface Compared extends Restorable {
  /** The later version; undefined means the current text. */
  readonly to: number | undefined;
  readonly version: string;
  readonly differences: { readonly shown: readonly Difference[]; readonly more: number };
  /** Why nothing was restored. */
  readonly wrong?: string | undefined;
}

export const differencePage = (input: Compared): Page => ({
  title: `Version ${input.seq} of ${input.head.title}`,
  here: hereOf(input.head),
  scripts: ["document.js"],
  main: html`${documentTop(input.head, "versions", Date.now())}
${wrong(input.wrong)}
<section class="card" aria-labelledby="difference"><div class="card-head"><h2 id="difference">Version ${input.seq} → ${input.to ? `version ${input.to}` : "now"}</h2>
${restorePart(input, input.to ? "*" : input.version)}</div>
${input.differences.shown.length === 0 ? html`<p class="empty">No difference.</p>` : html`<ol class="differences">${input.differences.shown.map(differenceItem)}</ol>`}
${input.differences.more > 0 && html`<p class="hint">And ${plural(input.differences.more, "more change")}.</p>`}
</section>`,
});

interface Earlier extends Restorable {
  readonly body: Html;
  /** The version of the current text. */
  readonly version: string;
  readonly now: number;
}

/** An earlier version as plain reading text. */
export const versionTextPage = (input: Earlier): Page => ({
  title: `Version ${input.seq} of ${input.head.title}`,
  here: hereOf(input.head),
  scripts: ["document.js"],
  main: html`${documentTop(input.head, "versions", input.now)}
<section class="card" aria-labelledby="version"><div class="card-head"><h2 id="version">Version ${input.seq}</h2>
<div class="row-actions"><a class="button button-small" href="/documents/${input.head.id}/versions/${input.seq}">Compare with current</a>${restorePart(input, input.version)}</div></div>
<p class="hint">An earlier text, read-only.</p>
<article class="prose">${input.body}</article></section>`,
});

export const differenceItem = ({ kind, before, after, above, below }: Difference): Part =>
  html`<li class="difference difference-${kind}">${around(above)}<p class="difference-kind">${kindNames[kind]}</p><div class="prose">${changed(kind, before, after)}</div>${around(below)}</li>`;

const LONGEST_AROUND = 160;

/** A line of context beside a change. */
const around = (text: string | undefined): Part =>
  text && html`<p class="difference-around" dir="auto">${[...text].slice(0, LONGEST_AROUND).join("")}</p>`;

/**
 * Marks changed words in a text that mostly stayed the same; shows both sides of a rewritten one, or of one that only
 * looks different.
 */
function changed(kind: Difference["kind"], before: Side | undefined, after: Side | undefined): Part {
  if (kind !== "modified" || !before || !after) return (after ?? before)?.content;
  const runs = wordDiff(before.text, after.text);
  if (before.text === after.text || !isAlike(runs))
    return [html`<div class="was">${before.content}</div>`, html`<div class="is">${after.content}</div>`];
  return html`<p class="words">${nearChanges(runs).map(({ kind, text }) =>
    kind === "added" ? html`<ins>${text}</ins>` : kind === "removed" ? html`<del>${text}</del>` : text,
  )}</p>`;
}

/** Whether at least a third of the words stayed: with fewer, mixed text is harder to read than the two sides. */
function isAlike(runs: readonly Run[]): boolean {
  const letters = (kinds: readonly Run["kind"][]) =>
    runs.reduce((sum, { kind, text }) => sum + (kinds.includes(kind) ? text.replace(/\s/g, "").length : 0), 0);
  return 3 * letters(["same"]) >= Math.max(letters(["same", "removed"]), letters(["same", "added"]));
}
