import { defined } from "@svc/document/defined";
import { readBody } from "../../../bodies/load-body.ts";
import { firstKept } from "../../../bodies/snapshots.ts";
import type { Reader } from "../../../db/database.ts";
import type { ShownDocument } from "../../library/documents/represent.ts";
import type { Change } from "../versions/changes-between.ts";
import { loadVersion } from "../versions/load-version.ts";
import { listChanges } from "../versions/run-comparison.ts";
import { type KeptSnapshot, listKept, wasWritten } from "./queries.ts";

/** The changes of a document's body since a time; undefined if there are none. */
export async function compareSince(db: Reader, document: ShownDocument, since: number, retention: number) {
  const key = { workspaceId: document.workspace_id, documentId: document.id };
  const current = await readBody(db, key);
  const kept = await listKept(db, key, firstKept(current.seq, retention));
  const later = kept.filter((snapshot) => snapshot.created_at >= since);
  const actors = actorsOf(later);
  const answer = (from: string | null, complete: boolean, changes: readonly Change[]) => ({
    from_version: from,
    to_version: current.version,
    actors,
    complete,
    changes,
  });
  if (document.created_at >= since) return answer(null, true, await listChanges(undefined, current, true));
  const [first] = later;
  if (!first)
    return document.updated_at >= since && (await wasWritten(db, key, since)) ? answer(null, false, []) : undefined;
  const isWhole = first.seq === 1 || defined(kept[0]).created_at < since;
  const then = await loadVersion(db, key, first.seq, retention);
  if (then.version === current.version && isWhole) return undefined;
  return answer(isWhole ? then.version : null, isWhole, await listChanges(then, current, isWhole));
}

const actorsOf = (snapshots: readonly KeptSnapshot[]) => [
  ...new Map(snapshots.map((row) => [row.creator_id, { id: row.creator_id, name: row.creator_name }])).values(),
];
