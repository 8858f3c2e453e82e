import { invalidRequest } from "../../../errors.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { titleKey } from "../../library/documents/title-key.ts";

export interface Label {
  readonly locale: string;
  readonly name: string;
  readonly description: string;
  readonly origin: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface SentLabel {
  readonly locale: string;
  readonly name: string;
  readonly description?: string;
  readonly origin?: string;
}

/** The requested labels; an unchanged label keeps its creator and times. */
export function readLabels(sent: readonly SentLabel[], before: readonly Label[], userId: string): Label[] {
  const now = Date.now();
  const labels = new Map<string, Label>();
  for (const [index, given] of sent.entries()) {
    const locale = parseLocale(given.locale);
    if (labels.has(locale)) throw invalidRequest(`body.labels[${index}].locale`, `is there twice: ${locale}`);
    const said = { name: given.name.trim(), description: given.description ?? "", origin: given.origin ?? "manual" };
    const old = before.find((label) => label.locale === locale);
    const isSame = old && old.name === said.name && old.description === said.description && old.origin === said.origin;
    labels.set(
      locale,
      isSame
        ? old
        : {
            locale,
            ...said,
            created_by: old?.created_by ?? userId,
            created_at: old?.created_at ?? now,
            updated_at: now,
          },
    );
  }
  return [...labels.values()];
}

/** Removes duplicates, ignoring case and accents; the first spelling is kept. */
export function readAliases(sent: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const alias of sent) {
    const key = titleKey(alias.trim());
    if (!seen.has(key)) seen.set(key, alias.trim());
  }
  return [...seen.values()];
}

export const namesKey = (name: string, aliases: readonly string[], labels: readonly Pick<Label, "name">[]): string =>
  [name, ...aliases, ...labels.map((label) => label.name)].map(titleKey).join("\n");

export function checkInterval(from: number | null | undefined, to: number | null | undefined): void {
  if (from != null && to != null && from >= to) throw invalidRequest("body.valid_to", "must be later than valid_from");
}
