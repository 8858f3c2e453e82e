/**
 * Text without case, accents and width, so that names are found whatever way they are typed. Only the accents of
 * European scripts go: the marks of Thai, Indic scripts and kana tell words apart.
 */
export const titleKey = (text: string): string => (isPlain(text) ? text.toLowerCase() : folded(text));

/** Most titles: nothing but their case can differ. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\0]/g, "")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFC");
