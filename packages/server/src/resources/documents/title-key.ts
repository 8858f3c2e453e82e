/**
 * Text without case, accents and width, so that titles are found whatever way they are typed. Upper case comes first, so
 * that letters with several lower-case forms (ß and ss, both sigmas) meet.
 */
export const titleKey = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("\0", "");
