import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form, plural, wrong } from "../../../shared/parts.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf } from "./document-top.ts";
import { languageName, states, type Variant } from "./languages.ts";

/** A text block of the source and its counterpart, as the API returns it. */
export interface Unit {
  readonly id: string;
  readonly source_text: string | null;
  readonly target_text: string | null;
  readonly target_block_id: string | null;
  readonly freshness: "missing" | "source_changed" | "current" | "conflict" | "orphaned";
  readonly review_status: "unreviewed" | "current" | "ignored";
  readonly candidate: { readonly text: string; readonly job_id: string } | null;
}

interface Translations {
  readonly head: DocumentHead;
  readonly source: Variant;
  readonly target: Variant;
  readonly targetVersion: string;
  readonly units: readonly Unit[];
  /** Lines of the target as Markdown, by the ids of their blocks. */
  readonly lines: ReadonlyMap<string, string>;
  /** Whether settled texts are shown too. */
  readonly isAll: boolean;
  /** Whether there are more units than the page shows. */
  readonly isPart: boolean;
  readonly formToken: string;
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const translationsPage = (input: Translations): Page => ({
  title: `${input.head.title}: ${input.target.locale}`,
  here: hereOf(input.head),
  shape: "wide",
  scripts: ["islands/desk.js"],
  main: html`${documentTop(input.head, "translations", input.now)}
<section class="card" aria-labelledby="units"><div class="card-head"><h2 id="units">${languageName(input.source.locale)} → ${languageName(input.target.locale)}</h2>${input.head.canWrite && proposeForm(input)}</div>
<div data-desk>${wrong(input.wrong)}
${
  input.units.length === 0
    ? html`<p class="empty">${input.isAll ? "There is nothing to translate." : "Nothing to review."}</p>`
    : html`<p class="hint">${plural(input.units.length, "text")}${input.isPart && " and more"}${!input.isAll && " left"}. <kbd>Ctrl Enter</kbd> accepts a text and goes on, <kbd>Alt Enter</kbd> uses the machine translation.</p><ol class="units">${input.units.map((unit) => unitItem(unit, input))}</ol>`
}
<p>${input.isAll ? html`<a href="?">Only texts to review</a>` : html`<a href="?all=1">All texts</a>`}</p></div></section>`,
});

const addressOf = ({ head, target, isAll }: Translations): string =>
  `/documents/${head.id}/translations/${encodeURIComponent(target.locale)}${isAll ? "?all=1" : ""}`;

const proposeForm = (input: Translations): Part =>
  form(
    addressOf(input),
    input.formToken,
    html`<button class="button button-small" name="answer" value="propose">Machine-translate</button>`,
  );

const unitItem = (unit: Unit, input: Translations): Part =>
  html`<li class="unit" data-unit="${unit.id}"><p class="difference-kind">${states[unit.freshness]}</p>
<div class="unit-sides"><p lang="${input.source.locale}" dir="auto">${unit.source_text}</p>${
    input.head.canWrite
      ? unitForm(unit, input)
      : html`<p lang="${input.target.locale}" dir="auto">${unit.target_text || html`<span class="hint">–</span>`}</p>`
  }</div></li>`;

function unitForm(unit: Unit, input: Translations): Part {
  const before = (unit.target_block_id && input.lines.get(unit.target_block_id)) || "";
  const { candidate } = unit;
  return form(
    addressOf(input),
    input.formToken,
    html`<input type="hidden" name="unit" value="${unit.id}"><input type="hidden" name="version" value="${input.targetVersion}"><input type="hidden" name="job" value="${candidate?.job_id}"><input type="hidden" name="before" value="${before}"><input type="hidden" name="proposal" value="${candidate?.text}">
<textarea name="text" rows="2" maxlength="100000" lang="${input.target.locale}" dir="auto" aria-label="Translation of: ${(unit.source_text ?? "").slice(0, 80)}">${before}</textarea>
${candidate && html`<p class="unit-candidate" lang="${input.target.locale}"><span class="tag" lang="en">machine</span> <bdi>${candidate.text}</bdi></p>`}
<div class="row-actions"><button class="button button-small button-main" name="answer" value="accept">Accept</button>
${candidate && html`<button class="button button-small" name="answer" value="apply">Use machine translation</button>`}
<button class="button button-small" name="answer" value="ignored">Ignore</button></div>`,
    "unit-form",
  );
}
