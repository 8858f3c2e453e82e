import { Readable } from "node:stream";
import { checkBlobKey, checkBlobPrefix, isBlobKey } from "./blob-key.ts";
import { resolveRange } from "./blob-range.ts";
import {
  type BlobContent,
  type BlobInfo,
  BlobNotFound,
  type BlobRange,
  BlobRangeInvalid,
  type BlobStore,
  BlobStoreFailure,
  type ListedBlob,
} from "./blob-store.ts";
import { metered } from "./metered.ts";
import { readSmall, type S3Client, type S3Options, s3Client } from "./s3-client.ts";
import type { S3Settings } from "./s3-settings.ts";
import { abandon, drained, exactParts, upload } from "./s3-upload.ts";
import { xmlElements, xmlText } from "./s3-xml.ts";

/** S3's minimum for a part that is not the last. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;
/** S3 accepts 10,000 parts; the part size grows with the limit so that the number stays below. */
const MAX_PARTS = 9_000;

/** Stores blobs as objects of one bucket, under a prefix. */
export function s3Store(settings: S3Settings, options: S3Options = {}): BlobStore {
  const client = s3Client(settings, options);
  const objectKeyOf = (key: string) => settings.prefix + checkBlobKey(key);
  return {
    async put(key, source, putOptions) {
      const objectKey = objectKeyOf(key);
      const { maxBytes, signal } = putOptions;
      const { chunks, result } = metered(source, putOptions);
      const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS));
      await upload(client, exactParts(chunks, partBytes), { objectKey, partBytes, signal });
      const stored = result();
      if (stored.size >= partBytes) await checkStored(client, objectKey, stored.size);
      return stored;
    },
    get: (key, range = {}) => read(client, key, objectKeyOf(key), range),
    head: (key) => headObject(client, objectKeyOf(key)),
    async delete(key) {
      await drained(await client({ method: "DELETE", objectKey: objectKeyOf(key), expected: [404] }));
    },
    list: (prefix) => listObjects(client, settings.prefix, checkBlobPrefix(prefix), options.listPageSize),
    removeAbandoned: (olderThan) => removeAbandonedUploads(client, settings.prefix, olderThan),
  };
}

async function checkStored(client: S3Client, objectKey: string, size: number): Promise<void> {
  const found = await headObject(client, objectKey);
  if (found?.size !== size) throw new BlobStoreFailure("the object store did not keep the whole upload");
}

async function headObject(client: S3Client, objectKey: string): Promise<BlobInfo | undefined> {
  const response = await client({ method: "HEAD", objectKey, expected: [404] });
  await drained(response);
  if (response.status === 404) return undefined;
  const modified = new Date(response.headers.get("last-modified") ?? 0);
  return { size: Number(response.headers.get("content-length")), modified };
}

async function read(client: S3Client, key: string, objectKey: string, range: BlobRange): Promise<BlobContent> {
  const isWhole = range.start === undefined && range.end === undefined;
  const header = isWhole ? undefined : `bytes=${range.start ?? 0}-${range.end ?? ""}`;
  const response = await client({ method: "GET", objectKey, range: header, expected: [404, 416] });
  if (response.status === 404 || response.status === 416) await drained(response);
  if (response.status === 404) throw new BlobNotFound(key);
  if (response.status === 416) return readRefusedRange(client, key, objectKey);
  const size = sizeOf(response);
  if (header !== undefined && response.status !== 206) {
    await response.body?.cancel();
    throw size === 0 ? new BlobRangeInvalid(0) : new BlobStoreFailure("the object store ignored the range");
  }
  const { first, last } = resolveRange(range, size);
  const stream = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
  return { stream, size, length: last - first + 1 };
}

async function readRefusedRange(client: S3Client, key: string, objectKey: string): Promise<never> {
  const found = await headObject(client, objectKey);
  throw found === undefined ? new BlobNotFound(key) : new BlobRangeInvalid(found.size);
}

/** The whole object's size: from `Content-Range: bytes 0-9/1234`, or the length of a whole answer. */
function sizeOf(response: Response): number {
  const total = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
  return Number(total ?? response.headers.get("content-length"));
}

async function* listObjects(
  client: S3Client,
  storePrefix: string,
  prefix: string,
  pageSize?: number,
): AsyncGenerator<ListedBlob> {
  const fixed = { "list-type": "2", prefix: storePrefix + prefix, ...(pageSize && { "max-keys": String(pageSize) }) };
  let next: string | undefined;
  do {
    const query = { ...fixed, ...(next && { "continuation-token": next }) };
    const page = await readSmall(await client({ method: "GET", objectKey: "", query }));
    for (const item of xmlElements(page, "Contents")) {
      const key = xmlText(item, "Key")?.slice(storePrefix.length) ?? "";
      if (!isBlobKey(key)) continue;
      yield { key, size: Number(xmlText(item, "Size")), modified: new Date(xmlText(item, "LastModified") ?? 0) };
    }
    next = xmlText(page, "IsTruncated") === "true" ? xmlText(page, "NextContinuationToken") : undefined;
  } while (next !== undefined);
}

async function removeAbandonedUploads(client: S3Client, storePrefix: string, olderThan: Date): Promise<number> {
  let removed = 0;
  let marker: Record<string, string> | undefined = {};
  while (marker !== undefined) {
    const query = { uploads: "", prefix: storePrefix, ...marker };
    const page: string = await readSmall(await client({ method: "GET", objectKey: "", query }));
    for (const item of xmlElements(page, "Upload")) {
      const objectKey = xmlText(item, "Key") ?? "";
      const uploadId = xmlText(item, "UploadId");
      const isOurs = objectKey.startsWith(storePrefix) && isBlobKey(objectKey.slice(storePrefix.length));
      if (!isOurs || uploadId === undefined || new Date(xmlText(item, "Initiated") ?? 0) >= olderThan) continue;
      await abandon(client, objectKey, uploadId);
      removed++;
    }
    marker = nextMarker(page);
  }
  return removed;
}

function nextMarker(page: string): Record<string, string> | undefined {
  if (xmlText(page, "IsTruncated") !== "true") return undefined;
  const key = xmlText(page, "NextKeyMarker");
  const id = xmlText(page, "NextUploadIdMarker");
  return key === undefined ? undefined : { "key-marker": key, ...(id && { "upload-id-marker": id }) };
}
