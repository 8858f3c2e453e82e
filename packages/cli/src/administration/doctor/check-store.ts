import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf } from "@svc/document/thrown";
import { WriteProbe } from "@svc/server/operation/write-probe";
import { openBlobStore } from "@svc/server/ports/blobs/open-blob-store";
import { shownSize } from "../../output.ts";
import type { Check, Finding } from "./finding.ts";

const MIN_FREE_BYTES = 100 * 1024 * 1024;
const LOW_FREE_BYTES = 1024 * 1024 * 1024;

/** The folder itself, or its nearest existing ancestor. */
function nearestFolder(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export const checkDatabase: Check = async ({ config, database }) => {
  const check = "database";
  if (database === undefined) return [newStore(config.dataDir)];
  if (await new WriteProbe(database, config).isWritable())
    return [{ check, state: "ok", message: "The store can be read and written." }];
  const advice = "Free some disk space, and see that no other program holds the database for long.";
  return [{ check, state: "error", message: "The store can be read, and not written.", advice }];
};

function newStore(dataDir: string): Finding {
  const check = "database";
  const folder = nearestFolder(dataDir);
  try {
    accessSync(folder, constants.W_OK);
    return { check, state: "ok", message: `There is no store in ${resolve(dataDir)} yet: the first start makes one.` };
  } catch {
    const advice = `Give this user the right to write there: chown -R ${process.getuid?.() ?? "USER"} ${folder}`;
    return { check, state: "error", message: `A store cannot be made in ${resolve(dataDir)}.`, advice };
  }
}

export const checkDisk: Check = async ({ config }) => {
  const check = "disk space";
  const { bavail, bfree, bsize } = await statfs(nearestFolder(config.dataDir));
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  const message = `${shownSize(free)} are free in ${resolve(config.dataDir)}.`;
  const advice = "Delete what is not needed on that disk, or move SVC_DATA_DIR to a larger one.";
  if (free < MIN_FREE_BYTES) return [{ check, state: "error", message, advice }];
  return [free < LOW_FREE_BYTES ? { check, state: "warning", message, advice } : { check, state: "ok", message }];
};

/** Writes, reads and deletes a small file in the object store. */
export const checkFiles: Check = async ({ config }) => {
  const check = "object store";
  if (config.blobUrl === undefined) return [{ check, state: "off", message: "Attachments are files in SVC_DATA_DIR." }];
  try {
    const store = openBlobStore({ blobUrl: config.blobUrl, dataDir: config.dataDir, env: process.env });
    const key = `doctor/${randomUUID()}`;
    await store.put(key, once(Buffer.from("svc doctor")), { maxBytes: 1024 });
    const isThere = (await store.head(key)) !== undefined;
    await store.delete(key);
    if (!isThere) throw new Error("A file that was just written is not there.");
    return [{ check, state: "ok", message: "Attachments can be written, read and deleted." }];
  } catch (error) {
    const advice = "See that the bucket exists, and that the keys in SVC_BLOB_URL or AWS_… may write to it.";
    return [{ check, state: "error", message: messageOf(error), advice }];
  }
};

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
