/** Text without case, accents and width, so that titles are found whatever way they are typed. */
export const titleKey = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replaceAll("\0", "");
