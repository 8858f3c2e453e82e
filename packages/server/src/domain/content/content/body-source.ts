import type { StoredBody } from "../../../bodies/body.ts";
import { type FoundState, getBodyState, readBodyOnce } from "../../../bodies/load-body.ts";
import { readJson } from "../../../bodies/read-json.ts";
import { readRuns } from "../../../bodies/read-runs.ts";
import { readHtml, readSource } from "../../../bodies/sources.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { type BodySource, type ReadyText, render } from "./render.ts";

type LoadBody = (db: Reader, key: DocumentKey, state: FoundState) => Promise<StoredBody>;

/** The stored forms of a body. `load` reads the blocks, when a rendering needs them. */
export const bodySource = (
  db: Reader,
  key: DocumentKey,
  state: FoundState,
  load: LoadBody = readBodyOnce,
): BodySource => ({
  body: () => load(db, key, state),
  json: () => readJson(db, key, state),
  runs: (form) => readRuns(db, key, state, form),
  ...(state.style && {
    style: { hash: state.style, read: () => readSource(db, key) },
    html: (version: string) => readHtml(db, key, version),
  }),
});

/** A body as Markdown, without anchors. */
export async function readMarkdown(db: Reader, key: DocumentKey): Promise<ReadyText> {
  const state = await getBodyState(db, key);
  return render(state.version, "markdown", bodySource(db, key, state));
}
