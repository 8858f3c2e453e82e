import type { Actor } from "../../events/actor.ts";
import type { JobControl } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import type { Archive } from "./open-archive.ts";
import type { ImportPlan } from "./plan.ts";

/** What all parts of an import work with. */
export interface Building {
  readonly app: Services;
  readonly control: JobControl;
  readonly archive: Archive;
  readonly plan: ImportPlan;
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  readonly actor: Actor;
  /** Makes the new block ids, the same ones when the job runs again. */
  readonly seed: string;
}
