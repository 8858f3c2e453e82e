import { html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { form, plural, wrong } from "../../parts.ts";
import { type DocumentHead, documentTop, hereOf } from "./document-top.ts";
import { languageName, states, type Variant } from "./languages.ts";

/** A text block of the source and its counterpart, as the API tells it. */
export interface Unit {
  readonly id: string;
  readonly source_text: string | null;
  readonly target_text: string | null;
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
  /** There are more than are shown. */
  readonly isPart: boolean;
  readonly formToken: string;
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const translationsPage = (input: Translations): Page => ({
  title: `${input.head.title}: ${input.target.locale}`,
  here: hereOf(input.head),
  main: html`${documentTop(input.head, "translations", input.now)}
${wrong(input.wrong)}
<section class="card" aria-labelledby="units"><h2 id="units">${languageName(input.source.locale)} → ${languageName(input.target.locale)}</h2>
${
  input.units.length === 0
    ? html`<p class="empty">Nothing waits for a review.</p>`
    : html`<p class="hint">${plural(input.units.length, "text")} ${input.isPart && "and more "}to look at.</p><ol class="units">${input.units.map((unit) => unitItem(unit, input))}</ol>`
}</section>`,
});

const unitItem = (
  unit: Unit,
  input: Translations,
): Part => html`<li class="unit"><p class="difference-kind">${states[unit.freshness]}</p>
<div class="unit-sides"><p lang="${input.source.locale}"><bdi>${unit.source_text}</bdi></p><p lang="${input.target.locale}">${unit.target_text ? html`<bdi>${unit.target_text}</bdi>` : html`<span class="hint">–</span>`}</p></div>
${unit.candidate && html`<p class="unit-candidate" lang="${input.target.locale}"><span class="tag">machine</span> <bdi>${unit.candidate.text}</bdi></p>`}
${input.head.canWrite && unitActions(unit, input)}</li>`;

const unitActions = (unit: Unit, { head, target, targetVersion, formToken }: Translations): Part =>
  form(
    `/documents/${head.id}/translations/${encodeURIComponent(target.locale)}`,
    formToken,
    html`<input type="hidden" name="unit" value="${unit.id}"><input type="hidden" name="version" value="${targetVersion}"><input type="hidden" name="job" value="${unit.candidate?.job_id}"><div class="row-actions">
${unit.candidate && html`<button class="button button-small" name="answer" value="apply">Use the machine's</button>`}
${unit.target_text && html`<button class="button button-small" name="answer" value="current">Right as it is</button>`}
<button class="button button-small" name="answer" value="ignored">Ignore</button></div>`,
  );
