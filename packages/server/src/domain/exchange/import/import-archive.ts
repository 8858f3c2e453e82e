import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DocumentError } from "@svc/document/errors";
import { type Archive, openArchive } from "../../../archives/open-archive.ts";
import { ImportRefused } from "../../../archives/refused.ts";
import { ApiError } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { JobControl } from "../../../jobs/job-control.ts";
import { BlobNotFound } from "../../../ports/blobs/blob-store.ts";
import type { Imported, ImportTask } from "../../../services/importer.ts";
import type { Services } from "../../../services.ts";
import { insertKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { build } from "./build/build.ts";
import type { Builder } from "./build/builder.ts";
import { type Building, makeBuilding } from "./build/building.ts";
import { isHtml } from "./foreign/html-page.ts";
import { openInner } from "./foreign/inner-archives.ts";
import { isMarkdown } from "./foreign/markdown.ts";
import { withoutConcepts } from "./plan.ts";
import { readBundle } from "./read-bundle.ts";
import { readPages } from "./read-pages.ts";
import { singleFile } from "./single-file.ts";

const MAX_ENTRIES = 300_000;

export const importActor = (userId: string): Actor => ({
  userId,
  tokenId: null,
  client: { name: "import", version: null, agent: false },
});

/** Chooses the builder that stores the content. */
type ChooseBuilder = (building: Building) => Builder;

/** Reads the archive from a temporary file in `folder` and builds a knowledge base called `… (importing)`. */
export async function importArchive(
  app: Services,
  folder: string,
  task: ImportTask,
  control: JobControl,
  builderOf: ChooseBuilder,
): Promise<Imported> {
  const file = join(folder, "archive.zip");
  const { stream } = await app.blobs.get(task.blobKey);
  await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
  const limits = { maxEntries: MAX_ENTRIES, maxBytes: app.config.maxStorageBytes * 2 };
  const archive =
    isMarkdown(task.fileName) || isHtml(task.fileName)
      ? await singleFile(file, task.fileName)
      : await openInner(await openArchive(file, limits), folder, limits);
  try {
    return await importFrom(archive, app, task, control, builderOf);
  } finally {
    archive.close();
  }
}

/** Code and message of a failure that would recur on every attempt. */
export function refusalOf(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof ImportRefused || error instanceof DocumentError) return error;
  if (error instanceof ApiError && error.code === "not_found")
    return { code: error.code, message: "A part of what was being built was deleted meanwhile." };
  if (error instanceof ApiError && error.status < 500) return error;
  if (error instanceof BlobNotFound) return { code: "invalid_archive", message: "The archive is no longer there." };
  return undefined;
}

async function importFrom(
  archive: Archive,
  app: Services,
  task: ImportTask,
  control: JobControl,
  builderOf: ChooseBuilder,
): Promise<Imported> {
  const { fileName, workspaceId } = task;
  const found = (await readBundle(archive, app.config)) ?? (await readPages(archive, app.config, fileName));
  const allowed = task.withConcepts ? found : withoutConcepts(found);
  const plan = { ...allowed, name: task.name ?? found.name };
  await control.report({ documents_total: plan.documents.length, documents_done: 0 });
  const { id } = await app.database.transaction((tx) => {
    const now = Date.now();
    ledgerOf(tx, workspaceId).count("knowledge_bases", 1, app.config.maxKnowledgeBases);
    const shownName = `${[...plan.name].slice(0, 480).join("")} (importing)`;
    const row = { workspace_id: workspaceId, confirm_id: task.mark, name: shownName };
    return insertKnowledgeBase(tx, { ...row, created_at: now, updated_at: now });
  });
  const site = { workspaceId, knowledgeBaseId: id, actor: importActor(task.userId), seed: task.jobId };
  const building = makeBuilding(site, plan);
  const builder = builderOf(building);
  try {
    const built = await build({ app, archive, building }, plan, builder, control);
    const warnings = [...plan.warnings, ...built.warnings];
    return { knowledgeBaseId: id, name: plan.name, format: plan.format, built, warnings };
  } finally {
    await builder.close();
  }
}
