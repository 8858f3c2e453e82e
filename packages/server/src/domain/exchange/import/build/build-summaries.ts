import type { Tx } from "../../../../db/database.ts";
import { ApiError } from "../../../../errors.ts";
import { digestOf } from "../../../knowledge/summaries/deterministic.ts";
import { insertSummary } from "../../../knowledge/summaries/queries.ts";
import { columnsOf } from "../../../knowledge/summaries/save.ts";
import { loadTarget, type Target } from "../../../knowledge/summaries/target.ts";
import type { TargetKey } from "../../../knowledge/summaries/target-key.ts";
import type { PlannedSummary } from "../read-summaries.ts";
import type { Site } from "./building.ts";
import { clean, past } from "./from-archive.ts";

interface About extends Pick<TargetKey, "scope" | "targetId"> {
  /** Maps a block id of the archive to the new id. */
  readonly blockOf?: (id: string) => string;
}

/**
 * Restores stored summaries. A current summary is current for the new source, a stale one stays stale. One written by a
 * person belongs to the importing user. A summary of a missing section is skipped, because nobody could read it.
 */
export async function buildSummaries(
  tx: Tx,
  { workspaceId, actor }: Site,
  { scope, targetId, blockOf }: About,
  lines: readonly PlannedSummary[],
): Promise<void> {
  for (const line of lines) {
    const blockId = line.block_id === null ? "" : (blockOf?.(line.block_id) ?? "");
    const key: TargetKey = { workspaceId, scope: blockId === "" ? scope : "section", targetId, blockId };
    const target = await findTarget(tx, key);
    if (target)
      await insertSummary(tx, key, {
        ...columnsOf(await digestOf(tx, target)),
        text: clean(line.text),
        generator: line.generator,
        source_version: line.freshness === "current" ? target.sourceVersion : clean(line.source_version),
        pinned: line.pinned ? 1 : 0,
        author_id: line.author === null ? null : actor.userId,
        created_at: past(line.created_at),
        updated_at: past(line.updated_at),
      });
  }
}

async function findTarget(tx: Tx, key: TargetKey): Promise<Target | undefined> {
  try {
    return await loadTarget(tx, key);
  } catch (error) {
    if (key.scope === "section" && error instanceof ApiError) return undefined;
    throw error;
  }
}
