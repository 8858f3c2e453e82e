import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form, wrong } from "../../../shared/parts.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf } from "./document-top.ts";
import { languageName, states, type Variant, versionLink } from "./languages.ts";

interface Languages {
  readonly head: DocumentHead;
  /** Undefined for a page of one language. */
  readonly variants: readonly Variant[] | undefined;
  /** The typed values, shown again with a complaint. */
  readonly given: { readonly own: string; readonly added: string };
  readonly formToken: string;
  readonly now: number;
  readonly wrong?: string | undefined;
}

/** The language versions of a page with their states, and a form to add one. */
export const languagePage = (input: Languages): Page => ({
  title: `Languages of ${input.head.title}`,
  here: hereOf(input.head),
  main: html`${documentTop(input.head, "translations", input.now)}
${wrong(input.wrong)}
<section class="card" aria-labelledby="languages"><h2 id="languages">Languages</h2>${
    input.variants
      ? html`<ul class="rows">${input.variants.map((variant) => versionRow(variant, input.head.id))}</ul>`
      : html`<p class="empty">This page is only in one language.</p>`
  }</section>
${input.head.canWrite && addPart(input)}`,
});

const versionRow = (variant: Variant, here: string): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title">${versionLink(variant, here)}</p><p class="row-facts"><span><bdi>${variant.title}</bdi></span><span>${variant.variant_role === "source" ? "source" : states[variant.translation_freshness]}</span></p></div>
${variant.variant_role === "target" && html`<a class="button button-small" href="/documents/${variant.document_id}/translations/${variant.locale}">Translate<span class="visually-hidden"> into ${languageName(variant.locale)}</span></a>`}</li>`;

const common = ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "uk", "zh"];

const language = (name: string, label: string, hint: string, value: string): Part =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" list="common-languages" maxlength="35" required autocomplete="off" spellcheck="false" value="${value}" aria-describedby="${name}-hint"><p class="hint" id="${name}-hint">${hint}</p></div>`;

const addPart = ({ head, variants, given, formToken }: Languages): Part =>
  html`<section class="card" aria-labelledby="add-language"><h2 id="add-language">Add a language</h2>
<p class="hint">This creates a separate page beside this one, with the same headings, lists and pictures, ready to be translated.</p>${form(
    `/documents/${head.id}/translations`,
    formToken,
    html`${!variants && language("own", "This page is written in", "A language code, for example en or pt-BR.", given.own)}${language("added", "Add a version in", "A language code, for example de or zh-Hant.", given.added)}<datalist id="common-languages">${common.map((tag) => html`<option value="${tag}">${languageName(tag)}</option>`)}</datalist><button class="button button-main">Add</button>`,
    "stack",
  )}</section>`;
