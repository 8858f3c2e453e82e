import { loadState, withManifest } from "../../../bodies/history/read-state.ts";
import { loadJson } from "../../../bodies/read-json.ts";
import { loadRuns } from "../../../bodies/read-runs.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { BodySource } from "../content/render.ts";

/** The source of the body of a state. */
export const stateSource = (db: Reader, key: DocumentKey, id: string): BodySource => ({
  body: () => loadState(db, key, id),
  json: () =>
    withManifest(db, key, id, async (manifest, version) => ({ version, json: await loadJson(db, key, manifest) })),
  runs: (form) =>
    withManifest(db, key, id, async (manifest, version) => ({
      version,
      runs: await loadRuns(db, key, manifest, form),
    })),
});
