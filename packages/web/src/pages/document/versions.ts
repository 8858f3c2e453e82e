import { nearChanges } from "@svc/document/compare";
import { type Run, wordDiff } from "@svc/document/word-diff";
import { type Html, html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { confirm, form, plural, wrong } from "../../parts.ts";
import { time } from "../../time.ts";
import { type DocumentHead, documentTop, hereOf } from "./document-top.ts";

interface Program {
  readonly name: string;
  readonly isAgent: boolean;
}

interface Versions {
  readonly head: DocumentHead;
  readonly versions: readonly {
    readonly seq: number;
    readonly createdAt: number;
    readonly creator: string | null;
    readonly bytes: number;
    readonly reason: string;
    /** Who proposed the change, where somebody else accepted it. */
    readonly suggestedBy: Program | undefined;
    /** The program that made the change for the creator. */
    readonly client: Program | undefined;
  }[];
  /** What editing in the browser keeps. */
  readonly kept: Html;
  readonly now: number;
}

/** What came after a snapshot, in words. */
const reasons: Record<string, string> = {
  content: "text replaced",
  blocks: "block edited",
  batch: "several blocks edited",
  rollback: "earlier version restored",
  translation: "translation applied",
};

export const versionsPage = (input: Versions): Page => ({
  title: `Versions of ${input.head.title}`,
  here: hereOf(input.head),
  main: html`${documentTop(input.head, "versions", input.now)}
<section class="card" aria-label="Versions">${
    input.versions.length === 0
      ? html`<p class="empty">No earlier version. Programs and accepted suggestions make one; what people wrote here is kept below.</p>`
      : html`<p class="hint">Each is the text as it stood before a change, the latest first.</p>${compareForm(input)}<ol class="rows">${input.versions.map((version, index) => versionRow(version, index, input))}</ol>`
  }</section>
${input.kept}`,
});

const compareForm = ({ head, versions }: Versions): Part => {
  const options = versions.map(({ seq }) => html`<option value="${seq}">Version ${seq}</option>`);
  return html`<form class="find-form" action="/documents/${head.id}/versions/compare" aria-label="Compare two versions"><label>Compare <select name="from" aria-label="First version">${options}</select></label><label>with <select name="to" aria-label="Second version"><option value="">the text of now</option>${options}</select></label><button class="button">Compare</button></form>`;
};

const program = ({ name, isAgent }: Program): Part =>
  html`<bdi>${name}</bdi>${isAgent && html` <span class="tag">agent</span>`}`;

const versionRow = (version: Versions["versions"][number], index: number, { head, now, versions }: Versions): Part => {
  const next = versions[index - 1];
  const base = `/documents/${head.id}/versions/${version.seq}`;
  return html`<li class="row"><div class="row-main"><p class="row-title">Version ${version.seq}</p>
<p class="row-facts"><span>Until ${time(version.createdAt, now)}</span><span>then ${reasons[version.reason] ?? version.reason}${version.creator && html` by <bdi>${version.creator}</bdi>`}${version.client && html` with ${program(version.client)}`}${version.suggestedBy && html`, proposed by ${program(version.suggestedBy)}`}</span><span>${plural(version.bytes, "byte")}</span></p></div>
${next && html`<a class="button button-small" href="${base}?to=${next.seq}">What changed next</a>`}
<a class="button button-small" href="${base}">Compare with now</a>
<a class="button button-small" href="${base}/text">Read</a></li>`;
};

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

/** For who may write; `version` is the text that it takes the place of. */
const restorePart = ({ head, seq, formToken }: Restorable, version: string): Part =>
  head.canWrite &&
  confirm(
    `Restore version ${seq}`,
    "The text of now is kept as a version, so this can be undone.",
    form(
      `/documents/${head.id}/versions/${seq}/restore`,
      formToken,
      html`<input type="hidden" name="version" value="${version}"><button class="button button-main">Restore</button>`,
    ),
  );

interface Compared extends Restorable {
  /** The later one; undefined means the text as it is now. */
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
${input.differences.shown.length === 0 ? html`<p class="empty">No difference.</p>` : html`<ol class="differences">${input.differences.shown.map(difference)}</ol>`}
${input.differences.more > 0 && html`<p class="hint">And ${plural(input.differences.more, "more change")}.</p>`}
</section>`,
});

interface Earlier extends Restorable {
  readonly body: Html;
  /** Of the text as it is now. */
  readonly version: string;
  readonly now: number;
}

/** An earlier state as it was, to be read. */
export const versionTextPage = (input: Earlier): Page => ({
  title: `Version ${input.seq} of ${input.head.title}`,
  here: hereOf(input.head),
  scripts: ["document.js"],
  main: html`${documentTop(input.head, "versions", input.now)}
<section class="card" aria-labelledby="version"><div class="card-head"><h2 id="version">Version ${input.seq}</h2>
<div class="row-actions"><a class="button button-small" href="/documents/${input.head.id}/versions/${input.seq}">Compare with now</a>${restorePart(input, input.version)}</div></div>
<p class="hint">An earlier state of the text. Nothing here can be changed.</p>
<article class="prose">${input.body}</article></section>`,
});

const difference = ({ kind, before, after, above, below }: Difference): Part =>
  html`<li class="difference difference-${kind}">${around(above)}<p class="difference-kind">${kindNames[kind]}</p><div class="prose">${changed(kind, before, after)}</div>${around(below)}</li>`;

const LONGEST_AROUND = 160;

/** A line of what stands beside a change. */
const around = (text: string | undefined): Part =>
  text && html`<p class="difference-around" dir="auto">${[...text].slice(0, LONGEST_AROUND).join("")}</p>`;

/** Of a text that stayed mostly the same the words that differ are shown; a rewritten one, or one that only looks different, is shown as both sides. */
function changed(kind: Difference["kind"], before: Side | undefined, after: Side | undefined): Part {
  if (kind !== "modified" || !before || !after) return (after ?? before)?.content;
  const runs = wordDiff(before.text, after.text);
  if (before.text === after.text || !isAlike(runs))
    return [html`<div class="was">${before.content}</div>`, html`<div class="is">${after.content}</div>`];
  return html`<p class="words">${nearChanges(runs).map(({ kind, text }) =>
    kind === "added" ? html`<ins>${text}</ins>` : kind === "removed" ? html`<del>${text}</del>` : text,
  )}</p>`;
}

/** At least a third of the words stayed: below that the mixture is harder to read than the two texts. */
function isAlike(runs: readonly Run[]): boolean {
  const letters = (kinds: readonly Run["kind"][]) =>
    runs.reduce((sum, { kind, text }) => sum + (kinds.includes(kind) ? text.replace(/\s/g, "").length : 0), 0);
  return 3 * letters(["same"]) >= Math.max(letters(["same", "removed"]), letters(["same", "added"]));
}
