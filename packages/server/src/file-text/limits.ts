const MB = 1024 * 1024;

/** Larger files are not read. */
export const MAX_FILE_BYTES = 64 * MB;
/** Pages after these are left out. */
export const MAX_PAGES = 2000;
/** Characters of all pages; what follows is left out. */
export const MAX_CHARACTERS = 4_000_000;
/** Characters of one page. A longer PDF page or slide is continued on no other page. */
export const MAX_PAGE_CHARACTERS = 50_000;
/** Files without pages are divided into parts of about this many characters. */
export const PART_CHARACTERS = 4000;
/** Bytes that all parts of an Office file unpack to, together. */
export const MAX_UNPACKED_BYTES = 512 * MB;
export const MAX_ARCHIVE_ENTRIES = 20_000;
/** Milliseconds after which the reader stops with the pages it has. */
export const READING_MS = 30_000;
/** Milliseconds after which the thread is ended: the reader did not stop. */
export const DEADLINE_MS = 60_000;
