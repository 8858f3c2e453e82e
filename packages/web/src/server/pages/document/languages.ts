import { html, type Part } from "../../../shared/html.ts";

export interface Variant {
  readonly document_id: string;
  readonly locale: string;
  readonly variant_role: "source" | "target";
  readonly title: string;
  readonly translation_freshness: "current" | "source_changed" | "missing";
}

/** The states of a translation in words. */
export const states = {
  missing: "not translated",
  source_changed: "source has changed",
  current: "current",
  conflict: "both sides changed",
  orphaned: "source is gone",
};

const names = new Intl.DisplayNames("en", { type: "language" });

/** `German (de)`: the tag alone where it has no name. */
export const languageName = (locale: string): string => {
  const name = names.of(locale);
  return name && name !== locale ? `${name} (${locale})` : locale;
};

/** A link to a language version; the shown one is plain text. */
export const versionLink = ({ document_id, locale }: Variant, here: string): Part =>
  document_id === here
    ? html`<strong>${languageName(locale)}</strong>`
    : html`<a href="/documents/${document_id}">${languageName(locale)}</a>`;

/** The other language versions of a document, for the column beside its text. */
export const languageList = (variants: readonly Variant[], here: string): Part =>
  html`<section><h2>Languages</h2><ul class="plain">${variants.map(
    (variant) =>
      html`<li>${versionLink(variant, here)}${
        variant.variant_role === "source"
          ? html`<small>source</small>`
          : html`<small>${variant.translation_freshness === "current" ? "current" : html`<a href="/documents/${variant.document_id}/translations/${variant.locale}">${states[variant.translation_freshness]}: review</a>`}</small>`
      }</li>`,
  )}</ul><p><a href="/documents/${here}/translations">All languages</a></p></section>`;
