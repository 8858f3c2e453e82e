import { compareBlocks } from "@svc/document/compare";
import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import { headingPaths } from "@svc/document/read/outline";
import type { Node } from "@svc/document/types";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import { firstKept } from "../../bodies/snapshots.ts";
import type { Reader } from "../../db/database.ts";
import { markdownOf } from "../content/block-markdown.ts";
import type { ShownDocument } from "../documents/represent.ts";
import { loadVersion } from "../versions/load-version.ts";
import { type KeptSnapshot, listKept, wasWritten } from "./queries.ts";

/** What became of one document's body since a time; undefined when nothing did. */
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
  if (document.created_at >= since) return answer(null, true, changesBetween([], current, true));
  const [first] = later;
  if (!first)
    return document.updated_at >= since && (await wasWritten(db, key, since)) ? answer(null, false, []) : undefined;
  const isWhole = first.seq === 1 || defined(kept[0]).created_at < since;
  const then = await loadVersion(db, key, first.seq, retention);
  if (then.version === current.version && isWhole) return undefined;
  return answer(isWhole ? then.version : null, isWhole, changesBetween(then.blocks, current, isWhole));
}

const actorsOf = (snapshots: readonly KeptSnapshot[]) => [
  ...new Map(snapshots.map((row) => [row.creator_id, { id: row.creator_id, name: row.creator_name }])).values(),
];

interface Change {
  readonly block_id: string;
  readonly change_type: string;
  readonly heading_path: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
}

/** Where the old state is not the one of that time, only what there is now is answered. */
function changesBetween(old: readonly Node[], { blocks }: StoredBody, isWhole: boolean): Change[] {
  const [oldPaths, paths] = [old, blocks].map((list) => headingPaths(listHeadings(list), list.length));
  return compareBlocks(old, blocks).map(({ block_id, change_type, old_position, new_position }) => ({
    block_id,
    change_type,
    heading_path: (new_position === null ? oldPaths?.[defined(old_position)] : paths?.[new_position]) ?? [],
    before: old_position === null || !isWhole ? null : markdownOf(defined(old[old_position])),
    after: new_position === null ? null : markdownOf(defined(blocks[new_position])),
  }));
}
