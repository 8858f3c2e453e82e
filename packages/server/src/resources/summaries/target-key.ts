import type { SummaryScope } from "../../db/schema/tables/summaries.ts";

/** Which summary. */
export interface TargetKey {
  readonly workspaceId: string;
  readonly scope: SummaryScope;
  readonly targetId: string;
  /** Empty unless a section. */
  readonly blockId: string;
}
