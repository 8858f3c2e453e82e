import { codeOf } from "@svc/document/thrown";
import { apiError } from "../../../errors.ts";
import { BlobStoreFailure } from "../../../ports/blobs/blob-store.ts";

/**
 * The disk is full, read-only, out of handles, broken or gone. Creating a folder on a read-only disk fails with ENOENT.
 */
const diskCodes: ReadonlySet<string> = new Set("ENOSPC EDQUOT EROFS ENOENT EIO EMFILE ENFILE EACCES".split(" "));

/** A store that refuses or is unreachable becomes a 503 whose cause is logged; other errors stay unchanged. */
export function storeFailure(error: unknown): unknown {
  if (!(error instanceof BlobStoreFailure) && !diskCodes.has(codeOf(error))) return error;
  return Object.assign(apiError("unavailable", {}, { "retry-after": "5" }), { cause: error });
}
