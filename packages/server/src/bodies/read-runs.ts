import { defined } from "@svc/document/defined";
import { readCanonical } from "@svc/document/read-canonical";
import { sql } from "kysely";
import type { Reader, SelectBuilder } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import { yieldToEventLoop } from "../db/statement/batches.ts";
import type { StatementDialect } from "../db/statement/runner.ts";
import { statement } from "../db/statement/statement.ts";
import { type FoundState, readCurrent, SegmentMissing } from "./load-body.ts";
import type { Manifest } from "./manifest.ts";
import { makeRun, RULES, type RunForm, type Runs, readRun } from "./renderings.ts";

/** A segment in one form, or its content if that form must still be made from it. */
interface RunRow {
  readonly hash: string;
  readonly run: string | Uint8Array | null;
  readonly content: string | null;
}

const runRows = (db: SelectBuilder, form: RunForm, { textToSend }: StatementDialect) => {
  const isReady = sql`rules = ${sql.lit(RULES)} and ${sql.ref(form)} is not null`;
  // Markdown that is not sent as it was written is joined as a string.
  const run = form === "html" ? textToSend(form) : sql.ref(form);
  return db
    .selectFrom("segments")
    .select([
      "hash",
      sql<string | Uint8Array | null>`case when ${isReady} then ${run} end`.as("run"),
      sql<string | null>`case when ${isReady} then null else content end`.as("content"),
    ]);
};

const runsByHash = (form: RunForm) =>
  statement<DocumentKey & { readonly hashes: readonly string[] }, RunRow>(
    (db, value, dialect) =>
      runRows(db, form, dialect)
        .where("workspace_id", "=", value("workspaceId"))
        .where("document_id", "=", value("documentId"))
        .where("hash", "in", value("hashes")),
    { list: "hashes" },
  );
const selectByHash = { markdown: runsByHash("markdown"), html: runsByHash("html") };

const runsOfDocument = (form: RunForm) =>
  statement<DocumentKey, RunRow>((db, value, dialect) =>
    runRows(db, form, dialect)
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId")),
  );
const selectOfDocument = { markdown: runsOfDocument("markdown"), html: runsOfDocument("html") };

/** The number of segments rendered before other work gets a turn. */
const RENDERED_AT_ONCE = 50;

/** Loads the segments of a manifest in one form: as stored, or rendered now if other rules made them or none. */
export async function loadRuns<Form extends RunForm>(
  db: Reader,
  key: DocumentKey,
  manifest: Manifest,
  form: Form,
): Promise<Runs[Form][]> {
  const hashes = manifest.map(({ hash }) => hash);
  return inOrder(key, manifest, form, await selectByHash[form](db, { ...key, hashes }));
}

async function inOrder<Form extends RunForm>(
  key: DocumentKey,
  manifest: Manifest,
  form: Form,
  rows: readonly RunRow[],
): Promise<Runs[Form][]> {
  const found = new Map(rows.map((row) => [row.hash, row]));
  const runs: Runs[Form][] = [];
  let made = 0;
  for (const { hash } of manifest) {
    const row = found.get(hash);
    if (!row) throw new SegmentMissing(key, hash);
    if (row.run !== null) runs.push(readRun(row.run));
    else {
      if (++made % RENDERED_AT_ONCE === 0) await yieldToEventLoop();
      runs.push(makeRun[form](readCanonical(defined(row.content))));
    }
  }
  return runs;
}

/** The current body in one form, segment by segment, and its version. */
export const readRuns = <Form extends RunForm>(
  db: Reader,
  key: DocumentKey,
  found: FoundState,
  form: Form,
): Promise<{ readonly version: string; readonly runs: Runs[Form][] }> =>
  readCurrent(db, key, found, async ({ version, revision, manifest }) => {
    // A body that was never changed uses all segments of its document: finding each by its hash would take longer.
    if (revision > 1) return { version, runs: await loadRuns(db, key, manifest, form) };
    return { version, runs: await inOrder(key, manifest, form, await selectOfDocument[form](db, key)) };
  });
