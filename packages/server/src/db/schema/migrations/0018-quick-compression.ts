import type { Migration } from "../migration.ts";

/** Every edit stores a segment, and its texts are nearly always long enough to be packed. */
export const quickCompression: Migration = (db, types) =>
  types.packQuickly(db, "segments", ["content", "markdown", "html"]);
