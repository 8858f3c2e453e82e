import { restrictReader } from "../db/audience/restrict-database.ts";
import type { Reader, VisibleReader } from "../db/database.ts";
import type { Rights } from "./rights.ts";

/**
 * Restricts the reader through which a transaction builds its answer: the transaction sees everything, but the caller
 * may not.
 */
export const shownTo = (db: Reader, { rights }: { readonly rights: Rights | undefined }): VisibleReader =>
  rights?.hidden ? restrictReader(db, rights.hidden) : (db as VisibleReader);
