import { restrictReader } from "../db/audience/restrict-database.ts";
import type { Reader } from "../db/database.ts";
import type { Rights } from "./rights.ts";

/** What a transaction is read through for its answer: it sees everything, but whoever is answered may not. */
export const shownTo = (db: Reader, { rights }: { readonly rights: Rights | undefined }): Reader =>
  rights?.hidden ? restrictReader(db, rights.hidden) : db;
