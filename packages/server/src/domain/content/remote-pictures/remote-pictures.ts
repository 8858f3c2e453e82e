import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../../../db/database.ts";
import type { RemotePictureRow } from "../../../db/schema/tables/remote-pictures.ts";
import { newId } from "../../../ids.ts";
import { BlobNotFound, type BlobStore } from "../../../ports/blobs/blob-store.ts";
import { firstBytes } from "../../../ports/images/first-bytes.ts";
import { isPictureShownInline, SNIFF_BYTES, sniffContentType, svgType } from "../../../ports/images/sniff.ts";
import type { FetchPicture } from "../../../ports/remote-pictures/fetch-picture.ts";
import type { RemotePicture, RemotePictures as RemotePictureCache } from "../../../services/remote-pictures.ts";
import { DAY_MS } from "../../../time.ts";
import { claimAttempt, findRemotePicture, updateRemotePicture } from "./queries.ts";

export const REMOTE_PICTURES = "remote/";

const MAX_BYTES = 10 * 1024 * 1024;
/** The timeout of one fetch. */
const FETCH_MS = 15_000;
/** How long a reader waits for a fetch. */
const WAIT_MS = 5000;
const POLL_MS = 250;
/** A fetch that has not ended by then was lost with its process. */
const CLAIM_MS = FETCH_MS + 15_000;
const FRESH_MS = 7 * DAY_MS;
const RETRY_MS = 15 * 60_000;
/** Max concurrent fetches of one process. */
const MAX_FETCHES = 32;

interface Parts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly fetch: FetchPicture;
}

const hashOf = (address: string): string => createHash("sha256").update(address).digest("hex");

/** Pictures of other hosts, fetched at their first display and kept for all processes and workspaces. */
export class RemotePictures implements RemotePictureCache {
  readonly #parts: Parts;
  readonly #fetches = new Set<Promise<void>>();
  readonly #closed = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the picture at an address, or undefined if it is unavailable. Waits at most a few seconds for its host. */
  async read(address: string): Promise<RemotePicture | undefined> {
    const hash = hashOf(address);
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const row = await findRemotePicture(this.#parts.database.read, hash);
      const fetching = !row || row.due_at <= Date.now() ? await this.#begin(address, hash, row) : undefined;
      const left = giveUpAt - performance.now();
      if (fetching && left > 0) {
        await Promise.race([fetching.done, sleep(left, undefined, { ref: false })]);
        continue;
      }
      if (row?.blob_key) {
        const picture = await this.#open(row);
        if (picture) return picture;
      } else if (row?.failed === 1) return undefined;
      if (left <= 0 || this.#closed.signal.aborted) return undefined;
      await sleep(POLL_MS);
    }
  }

  /** Aborts running fetches. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#fetches);
  }

  /** Starts a fetch; returns undefined if another process is already fetching. */
  async #begin(address: string, hash: string, row: RemotePictureRow | undefined) {
    if (this.#fetches.size >= MAX_FETCHES || this.#closed.signal.aborted) return undefined;
    const { database, log } = this.#parts;
    const now = Date.now();
    const claim = { now, dueAt: now + CLAIM_MS };
    if (!(await database.transaction((tx) => claimAttempt(tx, hash, row, claim)))) return undefined;
    const done = this.#fetchAndKeep(address, hash, row?.blob_key ?? undefined)
      .catch((error) => log.warn({ err: error }, "a remote picture could not be kept"))
      .finally(() => this.#fetches.delete(done));
    this.#fetches.add(done);
    return { done };
  }

  async #fetchAndKeep(address: string, hash: string, oldKey: string | undefined): Promise<void> {
    const { database, blobs, log } = this.#parts;
    const update = (change: Partial<RemotePictureRow>) =>
      database.transaction((tx) => updateRemotePicture(tx, hash, change));
    const fetched = await this.#fetch(address).catch((error: Error) => {
      log.info({ host: new URL(address).host, reason: error.message }, "a remote picture could not be fetched");
      return undefined;
    });
    if (!fetched) {
      await update({ failed: 1, due_at: Date.now() + RETRY_MS });
      return;
    }
    const isKept = await update({ ...fetched, failed: 0, due_at: Date.now() + FRESH_MS });
    const unused = isKept ? oldKey : fetched.blob_key;
    if (unused !== undefined) await blobs.delete(unused);
  }

  async #fetch(address: string): Promise<Pick<RemotePictureRow, "content_type" | "size"> & { blob_key: string }> {
    const { blobs, fetch } = this.#parts;
    const signal = AbortSignal.any([AbortSignal.timeout(FETCH_MS), this.#closed.signal]);
    const blob_key = `${REMOTE_PICTURES}${newId("pic")}`;
    const head = firstBytes(SNIFF_BYTES);
    const options = { maxBytes: MAX_BYTES, signal, onChunk: head.add, takesChunks: true };
    const { size } = await blobs.put(blob_key, await fetch(address, signal), options);
    const content_type = await sniffContentType(head.bytes());
    if (isPictureShownInline(content_type) || content_type === svgType) return { blob_key, content_type, size };
    await blobs.delete(blob_key);
    throw new Error(`The host sent ${content_type}.`);
  }

  /** Opens the stored file; undefined if another process has just replaced or removed it. */
  async #open(row: RemotePictureRow): Promise<RemotePicture | undefined> {
    const { database, blobs } = this.#parts;
    const { address_hash, blob_key, content_type } = row;
    const now = Date.now();
    if (row.used_at < now - DAY_MS)
      await database.transaction((tx) => updateRemotePicture(tx, address_hash, { used_at: now }));
    try {
      const { stream, size } = await blobs.get(blob_key ?? "");
      return { contentType: content_type ?? "", size, stream };
    } catch (error) {
      if (!(error instanceof BlobNotFound)) throw error;
      await database.transaction((tx) => updateRemotePicture(tx, address_hash, { due_at: 0 }));
      return undefined;
    }
  }
}
