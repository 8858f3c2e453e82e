import { buffer } from "node:stream/consumers";
import { type Lease, LeaseLost } from "../../../background/lease.ts";
import { Loop } from "../../../background/loop.ts";
import type { ViewWork } from "../../../bodies/view.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import type { FileText } from "../../../file-text/file-text.ts";
import { MAX_FILE_BYTES } from "../../../file-text/limits.ts";
import { textOfFile } from "../../../file-text/read-file-text.ts";
import type { Services } from "../../../services.ts";
import { filesKey, isFilesKey, workspaceOfKey } from "./files-key.ts";
import { indexFile } from "./index-file.ts";
import {
  countAttempt,
  endReading,
  findFileText,
  findUnread,
  listUnread,
  replacePages,
  setTextStatus,
} from "./queries.ts";

const POLL_MS = 3000;
/** Uploads come in bursts. */
const GATHER_MS = 50;
const BATCH = 16;
/** A file that ends the process so often is not read again. */
const MAX_ATTEMPTS = 3;

/** Reads and indexes uploaded files in the background. Each file is claimed by one process. */
export function startReadingFiles(app: Services): ViewWork {
  if (app.config.fileText === "off") return { stop: async () => undefined };
  const later: Later = new Map();
  const loop = new Loop({
    round: () => round(app, later, loop.signal),
    pauseMs: POLL_MS,
    firstAfterMs: 0,
    gatherMs: GATHER_MS,
    failed: (error) => app.log.warn({ err: error }, "reading the text of files failed"),
  });
  return { wake: loop.wake, stop: loop.stop };
}

/** When to try files again whose store did not return them, by id. */
type Later = Map<string, { readonly at: number; readonly waitMs: number }>;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 60 * 60 * 1000;
const MAX_LATER = 10_000;

/** Returns whether there may be more to do. */
async function round(app: Services, later: Later, signal: AbortSignal): Promise<boolean> {
  const now = performance.now();
  const waiting = [...later].flatMap(([id, { at }]) => (at > now ? [id] : []));
  const unread = await listUnread(app.database.read, waiting.slice(0, MAX_EXCLUDED), BATCH);
  let done = 0;
  for (const file of unread) {
    if (signal.aborted) return false;
    if (await readOne(app, later, file)) done++;
  }
  return (await reindexSome(app, signal)) || (done > 0 && unread.length === BATCH);
}

/** Ids that a statement excludes. */
const MAX_EXCLUDED = 500;

/** A file that the store does not return now is tried again later, so that it does not keep others waiting. */
async function readOne(app: Services, later: Later, found: AttachmentRow): Promise<boolean> {
  const { id } = found;
  try {
    const isOurs = await app.leases.during(`file-text:${id}`, async (lease) => {
      const file = await findUnread(app.database.read, found);
      if (file) await readFile(app, lease, file);
    });
    later.delete(id);
    return isOurs;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    const waitMs = Math.min(LONGEST_WAIT_MS, 2 * (later.get(id)?.waitMs ?? FIRST_WAIT_MS / 2));
    if (later.size >= MAX_LATER) later.clear();
    later.set(id, { at: performance.now() + waitMs, waitMs });
    app.log.warn({ err: error, attachment_id: id }, "reading the text of a file failed");
    return false;
  }
}

async function readFile(app: Services, lease: Lease, file: AttachmentRow): Promise<void> {
  const { database } = app;
  const known = await findFileText(database.read, file);
  const status = known?.status ?? (await readContent(app, lease, file));
  if (status === "ready") return indexFile(database, lease, file);
  await database.transaction(async (tx) => {
    await lease.hold(tx);
    await setTextStatus(tx, file, status);
  });
}

async function readContent(app: Services, lease: Lease, file: AttachmentRow): Promise<"ready" | "none" | "failed"> {
  const bytes = file.size > MAX_FILE_BYTES ? undefined : await bytesOf(app, file);
  const attempts = await app.database.transaction(async (tx) => {
    await lease.hold(tx);
    return countAttempt(tx, file);
  });
  const text = await textOf(file, bytes, attempts);
  await app.database.transaction(async (tx) => {
    await lease.hold(tx);
    const pages = text.status === "ready" ? text.pages : [];
    await replacePages(tx, file, pages);
    await endReading(tx, file, {
      status: text.status,
      reason: text.status === "ready" ? null : text.reason,
      pages: pages.length,
      truncated: text.status === "ready" && text.truncated ? 1 : 0,
    });
  });
  return text.status;
}

const bytesOf = async ({ blobs }: Services, { blob_key }: AttachmentRow): Promise<Uint8Array> =>
  buffer((await blobs.get(blob_key)).stream);

async function textOf(
  { file_name: fileName, content_type: contentType }: AttachmentRow,
  bytes: Uint8Array | undefined,
  attempts: number,
): Promise<FileText> {
  if (!bytes) return { status: "failed", reason: "too_large" };
  if (attempts > MAX_ATTEMPTS) return { status: "failed", reason: "damaged" };
  return textOfFile({ bytes, fileName, contentType });
}

/** Indexes some files again after a rebuild began. Returns whether there were any. */
async function reindexSome(app: Services, signal: AbortSignal): Promise<boolean> {
  const outdated = await app.database.read
    .selectFrom("search_counters as c")
    .innerJoin("search_documents as s", "s.workspace_id", "c.workspace_id")
    .innerJoin("attachments as a", "a.id", "s.document_id")
    .selectAll("a")
    .select("c.workspace_id as key")
    .where("c.backlog", "=", 1)
    .where("c.workspace_id", "like", `%${filesKey("")}`)
    .whereRef("s.indexed_epoch", "<", "c.epoch")
    .where("a.text_status", "=", "ready")
    .limit(BATCH)
    .execute();
  let done = 0;
  for (const { key, ...file } of outdated) {
    if (signal.aborted || !isFilesKey(key) || workspaceOfKey(key) !== file.workspace_id) continue;
    const isOurs = await app.leases.during(`file-text:${file.id}`, (lease) => indexFile(app.database, lease, file));
    if (isOurs) done++;
  }
  return done > 0;
}
