/** The programs whose archives can be imported. */
export const IMPORT_FORMATS = [
  "svc",
  "markdown",
  "obsidian",
  "logseq",
  "mdbook",
  "notion",
  "confluence",
  "html",
  "word",
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
