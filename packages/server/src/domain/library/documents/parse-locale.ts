import { apiError } from "../../../errors.ts";

/** A BCP 47 tag in canonical form. */
export function parseLocale(tag: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    if (canonical && /^[a-z]{2,3}(-|$)/.test(canonical)) return canonical;
  } catch {}
  throw apiError("invalid_locale", { locale: tag });
}
