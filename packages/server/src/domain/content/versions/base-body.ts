import type { StoredBody } from "../../../bodies/body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { apiError } from "../../../errors.ts";
import { loadVersion } from "./load-version.ts";
import { findSeqOf } from "./queries.ts";

/** The body of the current version or of a snapshot; responds 409 for any other version. */
export async function loadBase(db: Reader, key: DocumentKey, version: string, retention: number): Promise<StoredBody> {
  const current = await readBody(db, key);
  if (version === "*" || current.version === version) return current;
  const seq = await findSeqOf(db, key, version, retention);
  if (seq === undefined)
    throw apiError("version_conflict", { current_version: current.version, expected_version: version });
  return loadVersion(db, key, seq, retention);
}
