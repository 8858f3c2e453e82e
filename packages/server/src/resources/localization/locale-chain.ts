import { defined } from "@svc/document/defined";
/** The tag and what it becomes when parts are taken off its end: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function localeChain(locale: string): string[] {
  const parts = locale.split("-");
  const chain: string[] = [];
  for (let length = parts.length; length > 0; length--) {
    // A lone letter only introduces what followed it (`de-u-co-phonebk`).
    if (defined(parts[length - 1]).length > 1) chain.push(parts.slice(0, length).join("-"));
  }
  return chain;
}

/** The version to show for a language: the closest there is, else the set's fallback language, else its source. */
export function resolveLocale<T extends { readonly locale: string | null }>(
  versions: readonly T[],
  requested: string,
  { fallback, source }: { readonly fallback: string; readonly source: string },
): T | undefined {
  const wanted = [...localeChain(requested), fallback, source];
  for (const locale of wanted) {
    const found = versions.find((version) => version.locale === locale);
    if (found) return found;
  }
  return undefined;
}
