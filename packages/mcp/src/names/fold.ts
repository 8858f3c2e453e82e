/** Names are compared without case, accents and surplus blanks. */
export const fold = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

/** The names of a path as people write it: `Base / Folder / Title`, with or without blanks. */
export const namesIn = (path: string): string[] =>
  path
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "");
