import type { SummaryScope } from "../../../db/schema/tables/summaries.ts";

/** Identifies a summary. */
export interface TargetKey {
  readonly workspaceId: string;
  readonly scope: SummaryScope;
  readonly targetId: string;
  /** Empty unless it is for a section. */
  readonly blockId: string;
}
