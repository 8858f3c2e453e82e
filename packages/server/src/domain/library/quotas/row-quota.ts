import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import { quotaExceeded } from "../../../quota-error.ts";

/** Tables that callers add to without another limit, each with the column that names the owner. */
export const COUNTED = {
  concepts: "knowledge_base_id",
  concept_sources: "concept_id",
  concept_relations: "source_concept_id",
  manual_relations: "document_id",
  attachments: "document_id",
  member_groups: "workspace_id",
} as const;

type Counted = keyof typeof COUNTED;

export type RowLimits = Pick<Config, "maxPerOwner">;

/**
 * Refuses more than `SVC_MAX_PER_OWNER` rows of a kind, including the `adding` new ones. Concurrent callers may exceed
 * it by one.
 */
export async function checkRowQuota(
  tx: Tx,
  { maxPerOwner }: RowLimits,
  table: Counted,
  workspaceId: string,
  owner: string | number = workspaceId,
  adding = 1,
): Promise<void> {
  const { count } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where((eb) => eb(eb.ref(COUNTED[table] as "workspace_id"), "=", owner as string))
    .executeTakeFirstOrThrow();
  const used = Number(count);
  if (used + adding > maxPerOwner) throw quotaExceeded(table, maxPerOwner, used);
}
