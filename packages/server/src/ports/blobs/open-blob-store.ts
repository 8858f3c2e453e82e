import { join } from "node:path";
import type { BlobStore } from "./blob-store.ts";
import { fileStore } from "./file-store.ts";
import { readS3Url, type S3Environment } from "./s3-settings.ts";
import { s3Store } from "./s3-store.ts";

interface BlobSettings {
  /** SVC_BLOB_URL; if unset, files are stored in the data folder. */
  readonly blobUrl?: string | undefined;
  readonly dataDir: string;
  /** The environment with the S3 keys, for an address without them. */
  readonly env?: S3Environment;
}

/** Throws InvalidSetting; opens no connection and creates no folder before the first blob. */
export function openBlobStore({ blobUrl, dataDir, env = {} }: BlobSettings): BlobStore {
  return blobUrl === undefined || blobUrl === ""
    ? fileStore(join(dataDir, "attachments"))
    : s3Store(readS3Url(blobUrl, env));
}
