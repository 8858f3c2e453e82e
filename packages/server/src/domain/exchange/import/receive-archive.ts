import type { Tx } from "../../../db/database.ts";
import type { JobRow } from "../../../db/schema/tables/jobs.ts";
import { apiError, invalidRequest } from "../../../errors.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import type { Part } from "../../../http/wire/multipart.ts";
import { newId } from "../../../ids.ts";
import { countUnended, insertJob } from "../../../jobs/queries.ts";
import { BlobTooLarge } from "../../../ports/blobs/blob-store.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import type { Services } from "../../../services.ts";
import { storeFailure } from "../../content/attachments/blob-failure.ts";
import { cleanFileName } from "../../content/attachments/file-name.ts";
import { lockWorkspace } from "../../identity/members/queries.ts";
import { archiveKeyOf } from "./archive-key.ts";
import { IMPORT_KIND, type ImportPayload } from "./import-job.ts";
import { cleanTitle } from "./plan.ts";

/** An archive that is stored until its job has run. */
interface ReceivedArchive {
  readonly jobId: string;
  readonly payload: Omit<ImportPayload, "withConcepts">;
  readonly sha256: string;
  kept: boolean;
}

export async function receiveArchive(
  app: Services,
  parts: AsyncIterable<Part>,
  afterwards: (step: () => Promise<void>) => void,
): Promise<ReceivedArchive> {
  const jobId = newId("ijob");
  const blobKey = archiveKeyOf(jobId);
  let name: string | undefined;
  let file: { fileName: string; sha256: string } | undefined;
  let received: ReceivedArchive | undefined;
  for await (const part of parts) {
    if (part.type === "field" && part.name === "name" && name === undefined) name = wantedName(part.value);
    else if (part.type === "file" && part.name === "file" && !file) {
      const { sha256 } = await storeArchive(app, blobKey, part.stream);
      file = { fileName: cleanFileName(part.fileName), sha256 };
      afterwards(async () => {
        if (!received?.kept) await app.blobs.delete(blobKey);
      });
    } else throw invalidRequest(`body.${part.name}`, "is not a known field, or sent twice");
  }
  if (!file) throw invalidRequest("body.file", "is required");
  received = { jobId, payload: { blobKey, fileName: file.fileName, name }, sha256: file.sha256, kept: false };
  return received;
}

function wantedName(value: string): string {
  if (value.trim() === "") throw invalidRequest("body.name", "must not be empty");
  return cleanTitle(value);
}

async function storeArchive(app: Pick<Services, "blobs" | "config">, key: string, stream: AsyncIterable<Uint8Array>) {
  const { maxStorageBytes } = app.config;
  try {
    return await app.blobs.put(key, stream, { maxBytes: maxStorageBytes });
  } catch (error) {
    throw error instanceof BlobTooLarge
      ? apiError("payload_too_large", { limit: maxStorageBytes })
      : storeFailure(error);
  }
}

export async function startImport(
  app: Services,
  tx: Tx,
  received: ReceivedArchive,
  caller: Pick<Caller, "workspaceId" | "userId" | "scopes">,
): Promise<JobRow> {
  const { jobId: id } = received;
  await checkQuota(app, tx, caller.workspaceId);
  const payload: ImportPayload = { ...received.payload, withConcepts: caller.scopes.includes("concepts:write") };
  const job = { workspaceId: caller.workspaceId, id, kind: IMPORT_KIND, payload, createdBy: caller.userId };
  const row = await insertJob(tx, job, app.wakeJobs);
  tx.afterCommit(() => {
    received.kept = true;
  });
  return row;
}

/** Waiting archives take space that no other quota counts. */
async function checkQuota({ config }: Pick<Services, "config">, tx: Tx, workspaceId: string): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  const used = await countUnended(tx, workspaceId, IMPORT_KIND);
  if (used >= config.maxImports) throw quotaExceeded("imports", config.maxImports, used);
}
