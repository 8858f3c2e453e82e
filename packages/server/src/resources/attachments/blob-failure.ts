import { codeOf } from "@svc/document/thrown";
import { apiError } from "../../errors.ts";
import { BlobStoreFailure } from "../../ports/blobs/blob-store.ts";

/** The disk is full, read only, out of handles, broken or gone. Making a folder on a read-only disk says ENOENT. */
const diskCodes: ReadonlySet<string> = new Set("ENOSPC EDQUOT EROFS ENOENT EIO EMFILE ENFILE EACCES".split(" "));

/** A store that refuses or cannot be reached is 503, whose cause the log tells; anything else stays what it was. */
export function storeFailure(error: unknown): unknown {
  if (!(error instanceof BlobStoreFailure) && !diskCodes.has(codeOf(error))) return error;
  return Object.assign(apiError("unavailable", {}, { "retry-after": "5" }), { cause: error });
}
