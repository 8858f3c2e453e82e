import { ImportRefused } from "../../../archives/refused.ts";
import type { JobRow } from "../../../db/schema/tables/jobs.ts";
import { ApiError } from "../../../errors.ts";
import { failed, type JobKind, succeeded } from "../../../jobs/job.ts";
import { updateJob } from "../../../jobs/queries.ts";
import type { ImportTask } from "../../../services/importer.ts";
import type { Services } from "../../../services.ts";
import { changeKnowledgeBase } from "../../library/knowledge-bases/change-knowledge-base.ts";
import { deleteKnowledgeBase, emptyKnowledgeBase } from "../../lifecycle/deletion/delete-knowledge-base.ts";
import { importActor } from "./import-archive.ts";
import { findKnowledgeBaseByMark } from "./queries.ts";

export const IMPORT_KIND = "import_job";

export interface ImportPayload {
  readonly blobKey: string;
  readonly fileName: string;
  /** Overrides the archive's name. */
  readonly name: string | undefined;
  /** Whether the importing user may create concepts. */
  readonly withConcepts: boolean;
}

/** Identifies the new knowledge base, so that leftovers of an earlier attempt can be found. */
const markOf = (job: JobRow): string => `kb_${job.id.replace(/^\w+?_/, "")}`;

const taskOf = (job: JobRow, payload: ImportPayload): ImportTask => ({
  ...payload,
  jobId: job.id,
  workspaceId: job.workspace_id,
  userId: job.created_by,
  mark: markOf(job),
});

/** All or nothing: after a failure, this attempt or the next removes everything that was built. */
export const importJob: JobKind = {
  kind: IMPORT_KIND,
  async run(job, app, control) {
    const payload: ImportPayload = JSON.parse(job.payload);
    await clear(app, job);
    try {
      const { knowledgeBaseId, name, format, built, warnings } = await app.importer.run(taskOf(job, payload), control);
      return async (tx) => {
        tx.afterCommit(() => void app.blobs.delete(payload.blobKey).catch(() => undefined));
        // The knowledge base was deleted during the import; do not build it again.
        if (!(await tx.lock("knowledge_base", job.workspace_id, knowledgeBaseId)))
          return failed("not_found", "The knowledge base was deleted while it was imported.");
        await changeKnowledgeBase(tx, job.workspace_id, knowledgeBaseId, { name });
        // The thread's last progress report may not have been stored yet.
        const progress = { documents_total: built.documents, documents_done: built.documents };
        await updateJob(tx, job, { progress: JSON.stringify(progress) });
        return succeeded({ knowledge_base_id: knowledgeBaseId, format, ...built, warnings });
      };
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      await this.abandon?.(job, app);
      return async () => failed(error.code, error.message);
    }
  },
  async abandon(job, app) {
    await clear(app, job);
    const { blobKey }: ImportPayload = JSON.parse(job.payload);
    await app.blobs.delete(blobKey).catch(() => undefined);
  },
};

/** Removes what an attempt built, unless another process does. */
async function clear(app: Services, job: JobRow): Promise<void> {
  const confirmId = markOf(job);
  const { workspace_id: workspaceId } = job;
  const left = await findKnowledgeBaseByMark(app.database.read, workspaceId, confirmId);
  if (!left) return;
  const deletion = { workspaceId, id: left.id, confirmId, actor: importActor(job.created_by) };
  try {
    await emptyKnowledgeBase(app, deletion);
    await app.database.transaction((tx) => deleteKnowledgeBase(app, tx, deletion));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
  }
}
