import { readBody, type StoredBody } from "../../bodies/body.ts";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Reader } from "../../db/database.ts";
import { apiError } from "../../errors.ts";
import { loadVersion } from "./load-version.ts";
import { findSeqOf } from "./queries.ts";

/** The body of a version that is current or kept as a snapshot; 409 for any other. */
export async function loadBase(db: Reader, key: DocumentKey, version: string, retention: number): Promise<StoredBody> {
  const current = await readBody(db, key);
  if (version === "*" || current.version === version) return current;
  const seq = await findSeqOf(db, key, version, retention);
  if (seq === undefined)
    throw apiError("version_conflict", { current_version: current.version, expected_version: version });
  return loadVersion(db, key, seq, retention);
}
