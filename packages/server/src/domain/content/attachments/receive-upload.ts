import { defined } from "@svc/document/defined";
import type { Reader, Tx } from "../../../db/database.ts";
import { ApiError, invalidRequest } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { getCounters } from "../../../events/counters.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Part } from "../../../http/wire/multipart.ts";
import { BlobTooLarge } from "../../../ports/blobs/blob-store.ts";
import { bytesInWords, quotaExceeded } from "../../../quota-error.ts";
import type { Services } from "../../../services.ts";
import { getDocument, lockDocument } from "../../library/documents/queries.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { storeFailure } from "./blob-failure.ts";
import { insertAttachments } from "./queries.ts";
import { type StoredFile, storeFile } from "./store-file.ts";

/** A received upload. Its file is removed unless it is kept. */
interface Upload {
  readonly documentId: string;
  readonly file: StoredFile;
  kept: boolean;
}

interface Receiving {
  readonly app: Services;
  readonly db: Reader;
  readonly workspaceId: string;
  /** Throws if the caller may not write in the knowledge base. */
  readonly admit: (knowledgeBaseId: number) => void;
  readonly contentLength: number;
  readonly parts: AsyncIterable<Part>;
  readonly afterwards: (step: () => Promise<void>) => void;
}

/** Accepts the parts in any order; refuses as soon as the upload is known to be invalid. */
export async function receiveUpload(input: Receiving): Promise<Upload> {
  const { app, db, workspaceId } = input;
  const room = await roomFor(input);
  let documentId: string | undefined;
  let file: StoredFile | undefined;
  let upload: Upload | undefined;
  for await (const part of input.parts) {
    if (part.type === "field" && part.name === "document_id" && documentId === undefined) {
      documentId = part.value;
      const { knowledge_base_id } = await getDocument(db, workspaceId, documentId);
      input.admit(knowledge_base_id);
    } else if (part.type === "file" && part.name === "file" && file === undefined) {
      file = await storeUpload(app, part, room);
      const { blob_key } = file;
      input.afterwards(async () => {
        if (!upload?.kept) await app.blobs.delete(blob_key);
      });
    } else throw unwanted(part, documentId);
  }
  if (documentId === undefined) throw invalidRequest("body.document_id", "is required");
  if (file === undefined) throw invalidRequest("body.file", "is required");
  upload = { documentId, file, kept: false };
  return upload;
}

function unwanted(part: Part, documentId: string | undefined) {
  if (part.name === "file") return invalidRequest("body.file", "must be one file, with a file name");
  const isAgain = part.name === "document_id" && documentId !== undefined;
  return invalidRequest(`body.${part.name}`, isAgain ? "must be sent once" : "is not a known field");
}

interface Room {
  /** Limit of bytes for this upload. */
  readonly bytes: number;
  readonly refuse: () => Error;
}

/** The smaller of the limit per file and the workspace's remaining quota; refuses a file that cannot fit. */
async function roomFor({ app, db, workspaceId, contentLength }: Receiving): Promise<Room> {
  const { maxAttachmentBytes, maxStorageBytes } = app.config;
  const { attachment_bytes: used } = await getCounters(db, workspaceId);
  const left = Math.max(0, maxStorageBytes - used);
  const tooLarge = () =>
    new ApiError(
      "payload_too_large",
      { limit: maxAttachmentBytes },
      {},
      `The file is too large: one file may have ${bytesInWords(maxAttachmentBytes)}.`,
    );
  const full = () => quotaExceeded("attachment_bytes", maxStorageBytes, used);
  if (contentLength > maxAttachmentBytes + ENVELOPE_BYTES) throw tooLarge();
  if (contentLength > left + ENVELOPE_BYTES) throw full();
  return left < maxAttachmentBytes ? { bytes: left, refuse: full } : { bytes: maxAttachmentBytes, refuse: tooLarge };
}

/** Upper limit for boundaries, part headers and fields. */
const ENVELOPE_BYTES = 128 * 1024;

async function storeUpload(
  app: Pick<Services, "blobs">,
  part: Part & { type: "file" },
  room: Room,
): Promise<StoredFile> {
  try {
    return await storeFile(app.blobs, part.fileName, part.stream, { maxBytes: room.bytes, takesChunks: true });
  } catch (error) {
    throw error instanceof BlobTooLarge ? room.refuse() : storeFailure(error);
  }
}

/** Turns the stored file into an attachment of its document. */
export async function keepUpload(
  app: Pick<Services, "config" | "wakeView">,
  tx: Tx,
  upload: Upload,
  workspaceId: string,
  actor: Actor,
) {
  const document = await lockDocument(tx, workspaceId, upload.documentId);
  await checkRowQuota(tx, app.config, "attachments", workspaceId, document.id);
  const row = {
    workspace_id: workspaceId,
    document_id: document.id,
    ...upload.file,
    created_by: actor.userId,
    created_at: Date.now(),
    expires_at: null,
    removed_from: null,
    deleted_by: null,
    deleted_version: null,
  };
  const [kept] = await insertAttachments(tx, [row]);
  ledgerOf(tx, workspaceId).count("attachment_bytes", row.size, app.config.maxStorageBytes);
  tx.afterCommit(() => {
    upload.kept = true;
    app.wakeView("search");
  });
  return defined(kept);
}
