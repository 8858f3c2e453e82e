import { defined } from "@svc/document/defined";
/** The tag and its prefixes: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function localeChain(locale: string): string[] {
  const parts = locale.split("-");
  const chain: string[] = [];
  for (let length = parts.length; length > 0; length--) {
    // A single letter only introduces the part that followed (`de-u-co-phonebk`).
    if (defined(parts[length - 1]).length > 1) chain.push(parts.slice(0, length).join("-"));
  }
  return chain;
}

/** The version to show for a language: the closest match, else the set's fallback language, else its source. */
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
