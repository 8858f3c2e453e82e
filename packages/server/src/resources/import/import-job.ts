import type { JobRow } from "../../db/schema/tables/jobs.ts";
import { ApiError } from "../../errors.ts";
import { failed, type JobKind, succeeded } from "../../jobs/job.ts";
import { updateJob } from "../../jobs/queries.ts";
import type { Services } from "../../services.ts";
import { deleteKnowledgeBase, emptyKnowledgeBase } from "../deletion/delete-knowledge-base.ts";
import { changeKnowledgeBase } from "../knowledge-bases/queries.ts";
import { importActor } from "./import-archive.ts";
import type { ImportTask } from "./import-task.ts";
import { findKnowledgeBaseByMark } from "./queries.ts";
import { ImportRefused } from "./refused.ts";

export const IMPORT_KIND = "import_job";

export interface ImportPayload {
  readonly blobKey: string;
  readonly fileName: string;
  /** Instead of the archive's own. */
  readonly name: string | undefined;
  /** Whoever sent it may make them. */
  readonly withConcepts: boolean;
}

/** The new knowledge base is known by this, so that what an earlier attempt left can be found. */
const markOf = (job: JobRow): string => `kb_${job.id.replace(/^\w+?_/, "")}`;

const taskOf = (job: JobRow, payload: ImportPayload): ImportTask => ({
  ...payload,
  jobId: job.id,
  workspaceId: job.workspace_id,
  userId: job.created_by,
  mark: markOf(job),
});

/** All or nothing: on any failure what was built is taken away again, by this attempt or by the next. */
export const importJob: JobKind = {
  kind: IMPORT_KIND,
  async run(job, app, control) {
    const payload: ImportPayload = JSON.parse(job.payload);
    await clear(app, job);
    try {
      const { knowledgeBaseId, name, format, built, warnings } = await app.importer.run(taskOf(job, payload), control);
      return async (tx) => {
        tx.afterCommit(() => void app.blobs.delete(payload.blobKey).catch(() => undefined));
        // It was deleted during the import, so it is not built again.
        if (!(await tx.lock("knowledge_base", job.workspace_id, knowledgeBaseId)))
          return failed("not_found", "The knowledge base was deleted while it was imported.");
        await changeKnowledgeBase(tx, job.workspace_id, knowledgeBaseId, { name });
        // What the thread reported last may not have been stored before its end was heard of.
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

/** Takes away what an attempt built, unless somebody else does. */
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
