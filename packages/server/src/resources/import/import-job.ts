import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DocumentError } from "@svc/document/errors";
import type { JobRow } from "../../db/schema/tables/jobs.ts";
import { ApiError } from "../../errors.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import { failed, type JobControl, type JobKind, succeeded } from "../../jobs/job.ts";
import { BlobNotFound } from "../../ports/blobs/blob-store.ts";
import type { Services } from "../../services.ts";
import { deleteKnowledgeBase, emptyKnowledgeBase } from "../deletion/delete-knowledge-base.ts";
import { changeKnowledgeBase, insertKnowledgeBase } from "../knowledge-bases/queries.ts";
import { type Built, build } from "./build.ts";
import { type Archive, openArchive } from "./open-archive.ts";
import { type ImportPlan, withoutConcepts } from "./plan.ts";
import { findKnowledgeBaseByMark } from "./queries.ts";
import { readBundle } from "./read-bundle.ts";
import { readMarkdown } from "./read-markdown.ts";
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

const MAX_ENTRIES = 300_000;

/** The new knowledge base is known by this, so that what an earlier attempt left can be found. */
const markOf = (job: JobRow): string => `kb_${job.id.replace(/^\w+?_/, "")}`;

const actorOf = (job: JobRow): Actor => ({
  userId: job.created_by,
  tokenId: null,
  client: { name: "import", version: null, agent: false },
});

/** All or nothing: on any failure what was built is taken away again, by this attempt or by the next. */
export const importJob: JobKind = {
  kind: IMPORT_KIND,
  async run(job, app, control) {
    const payload = JSON.parse(job.payload) as ImportPayload;
    await clear(app, job);
    try {
      const { id, plan, built } = await withArchive(app, payload, (archive) =>
        importArchive(app, job, control, archive),
      );
      return async (tx) => {
        await changeKnowledgeBase(tx, job.workspace_id, id, { name: plan.name });
        tx.afterCommit(() => void app.blobs.delete(payload.blobKey).catch(() => undefined));
        return succeeded({ knowledge_base_id: id, ...built, warnings: [...plan.warnings, ...built.warnings] });
      };
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      await this.abandon?.(job, app);
      return async () => failed(refusal.code, refusal.message);
    }
  },
  async abandon(job, app) {
    await clear(app, job);
    const { blobKey } = JSON.parse(job.payload) as ImportPayload;
    await app.blobs.delete(blobKey).catch(() => undefined);
  },
};

/** A failure that another attempt would meet again, as code and words. */
function refusalOf(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof ImportRefused || error instanceof DocumentError) return error;
  if (error instanceof ApiError && error.status < 500) return error;
  if (error instanceof BlobNotFound) return { code: "invalid_archive", message: "The archive is no longer there." };
  return undefined;
}

async function withArchive<T>(
  app: Services,
  payload: ImportPayload,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
  try {
    const file = join(folder, "archive.zip");
    const { stream } = await app.blobs.get(payload.blobKey);
    await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
    const archive = await openArchive(file, { maxEntries: MAX_ENTRIES, maxBytes: app.config.maxStorageBytes * 2 });
    try {
      return await use(archive);
    } finally {
      archive.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importArchive(
  app: Services,
  job: JobRow,
  control: JobControl,
  archive: Archive,
): Promise<{ id: number; plan: ImportPlan; built: Built }> {
  const { fileName, name, withConcepts } = JSON.parse(job.payload) as ImportPayload;
  const found =
    (await readBundle(archive, app.config)) ?? readMarkdown(archive, app.config, fileName.replace(/\.zip$/i, ""));
  const allowed = withConcepts ? found : withoutConcepts(found);
  const plan = { ...allowed, name: name ?? found.name };
  await control.report({ documents_total: plan.documents.length, documents_done: 0 });
  const { workspace_id: workspaceId } = job;
  const { id } = await app.database.transaction((tx) => {
    const now = Date.now();
    ledgerOf(tx, workspaceId).count("knowledge_bases", 1, app.config.maxKnowledgeBases);
    const shownName = `${[...plan.name].slice(0, 480).join("")} (importing)`;
    const row = { workspace_id: workspaceId, confirm_id: markOf(job), name: shownName };
    return insertKnowledgeBase(tx, { ...row, created_at: now, updated_at: now });
  });
  const target = { workspaceId, knowledgeBaseId: id, actor: actorOf(job), seed: job.id };
  return { id, plan, built: await build({ app, control, archive, plan, ...target }) };
}

/** Takes away what an attempt built. */
async function clear(app: Services, job: JobRow): Promise<void> {
  const confirmId = markOf(job);
  const { workspace_id: workspaceId } = job;
  const left = await findKnowledgeBaseByMark(app.database.read, workspaceId, confirmId);
  if (!left) return;
  const deletion = { workspaceId, id: left.id, confirmId, actor: actorOf(job) };
  await emptyKnowledgeBase(app, deletion);
  await app.database.transaction((tx) => deleteKnowledgeBase(app, tx, deletion));
}
