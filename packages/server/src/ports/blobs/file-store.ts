import { randomUUID } from "node:crypto";
import type { Dirent, Stats } from "node:fs";
import { type FileHandle, mkdir, open, opendir, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { codeOf } from "@svc/document/thrown";
import { checkBlobKey, checkBlobPrefix, isBlobKey } from "./blob-key.ts";
import { resolveRange } from "./blob-range.ts";
import type { BlobContent, BlobRange, BlobStore, ListedBlob, PutOptions, StoredBlob } from "./blob-store.ts";
import { BlobNotFound } from "./blob-store.ts";
import { FileBytes } from "./file-bytes.ts";
import { metered } from "./metered.ts";

const WRITE_BYTES = 512 * 1024;

/**
 * Stores blobs as files under one folder. A blob appears under its name only when it is complete and on the disk: it is
 * written to `.incoming` (no key has a dot), flushed, renamed, and the folder is flushed.
 */
export function fileStore(folder: string): BlobStore {
  const root = resolve(folder);
  const incoming = join(root, ".incoming");
  const pathOf = (key: string) => join(root, ...checkBlobKey(key).split("/"));
  return {
    async put(key, source, options) {
      const path = pathOf(key);
      await Promise.all([makeFolder(incoming), makeFolder(dirname(path))]);
      return writeAndRename(join(incoming, randomUUID()), path, source, options);
    },
    get: (key, range = {}) => readFile(pathOf(key), key, range),
    async head(key) {
      const found = await orMissing(stat(pathOf(key)));
      return found?.isFile() ? { size: found.size, modified: found.mtime } : undefined;
    },
    async delete(key) {
      const path = pathOf(key);
      const wasThere = await orMissing(unlink(path).then(() => true));
      if (wasThere) await flushFolder(dirname(path));
    },
    list: (prefix) => listFiles(root, checkBlobPrefix(prefix)),
    removeAbandoned: (olderThan) => removeOldFiles(incoming, olderThan),
  };
}

async function writeAndRename(
  temporary: string,
  path: string,
  source: AsyncIterable<Uint8Array>,
  options: PutOptions,
): Promise<StoredBlob> {
  const { chunks, result } = metered(source, options);
  const file = await open(temporary, "wx", 0o600);
  try {
    try {
      await writeAll(file, chunks, options.takesChunks ? giveBack : () => undefined);
      await file.sync();
    } finally {
      await file.close();
    }
    options.signal?.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await orMissing(unlink(temporary));
    throw error;
  }
  await flushFolder(dirname(path));
  return result();
}

/** Writes one buffer while the other fills. Calls `copied` when a chunk is no longer needed. */
async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  copied: (chunk: Uint8Array) => void,
): Promise<void> {
  let [filling, other] = [Buffer.allocUnsafeSlow(WRITE_BYTES), Buffer.allocUnsafeSlow(WRITE_BYTES)];
  let filled = 0;
  let writing: Promise<unknown> = Promise.resolve();
  const writeOut = async () => {
    await writing;
    writing = file.writeFile(filling.subarray(0, filled));
    // Awaited before the next; this only prevents an early failure from being reported as unhandled.
    writing.catch(() => undefined);
    [filling, other, filled] = [other, filling, 0];
  };
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; ) {
        const part = chunk.subarray(at, at + WRITE_BYTES - filled);
        filling.set(part, filled);
        filled += part.byteLength;
        at += part.byteLength;
        if (filled === WRITE_BYTES) await writeOut();
      }
      copied(chunk);
    }
    if (filled > 0) await writeOut();
  } finally {
    await writing;
  }
}

/**
 * Frees the memory of a chunk that fills its whole buffer. If the buffers of an upload are left to the garbage
 * collector, it marks the whole heap many times.
 */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function readFile(path: string, key: string, range: BlobRange): Promise<BlobContent> {
  const file = await orMissing(open(path, "r"));
  if (file === undefined) throw new BlobNotFound(key);
  try {
    const found: Stats = await file.stat();
    if (!found.isFile()) throw new BlobNotFound(key);
    const { first, last } = resolveRange(range, found.size);
    const length = last - first + 1;
    return { stream: new FileBytes(file, first, last + 1), size: found.size, length };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedBlob> {
  const pending = [join(root, ...prefix.split("/").slice(0, -1))];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries: AsyncIterable<Dirent> | undefined = await orMissing(opendir(folder));
    for await (const entry of entries ?? []) {
      const path = join(folder, entry.name);
      const key = relative(root, path).split(sep).join("/");
      if (!isBlobKey(key)) continue;
      if (entry.isDirectory() && (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`))) pending.push(path);
      if (!entry.isFile() || !key.startsWith(prefix)) continue;
      const found = await orMissing(stat(path));
      if (found) yield { key, size: found.size, modified: found.mtime };
    }
  }
}

async function removeOldFiles(folder: string, olderThan: Date): Promise<number> {
  let removed = 0;
  for (const name of (await orMissing(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const found = await orMissing(stat(path));
    if (!found?.isFile() || found.mtime >= olderThan) continue;
    if (await orMissing(unlink(path).then(() => true))) removed++;
  }
  return removed;
}

/** Creates the folder and flushes every folder with a new entry, so that the path survives a power cut. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(first);
  for (let path = folder; path.length >= top.length && path !== dirname(path); path = dirname(path)) {
    await flushFolder(path);
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function orMissing<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
