import type { Reader } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import { joinJson, joinJsonBytes } from "./joined-json.ts";
import { cachedBody, type FoundState, loadContents, readCurrent } from "./load-body.ts";
import type { Manifest } from "./manifest.ts";

/** The JSON of a manifest's body, in UTF-8 if the database returns it so. A body that `isFirst` was never changed. */
export async function loadJson(
  db: Reader,
  key: DocumentKey,
  manifest: Manifest,
  isFirst = false,
): Promise<string | Buffer> {
  const contents = await loadContents(db, key, manifest, isFirst);
  const texts: string[] = [];
  const bytes: Uint8Array[] = [];
  for (const content of contents) {
    if (typeof content === "string") texts.push(content);
    else bytes.push(content);
  }
  return bytes.length > 0 ? joinJsonBytes(bytes) : joinJson(texts);
}

/** The current body's JSON and version, for callers that only send it: caching the body too would evict others. */
export async function readJson(
  db: Reader,
  key: DocumentKey,
  found: FoundState,
): Promise<{ readonly version: string; readonly json: string | Buffer }> {
  const cached = cachedBody(found);
  if (cached) return cached;
  return readCurrent(db, key, found, async ({ version, revision, manifest }) => ({
    version,
    json: await loadJson(db, key, manifest, revision === 1),
  }));
}
