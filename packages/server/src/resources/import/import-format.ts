/** Which program made an archive. */
export const IMPORT_FORMATS = ["svc", "markdown", "obsidian", "notion", "confluence", "html", "word"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
