import { codeOf } from "@svc/document/thrown";
import { apiError } from "../../errors.ts";
import { BlobStoreFailure } from "../../ports/blobs/blob-store.ts";

/** The disk is full, read only, out of handles, broken or gone. Making a folder on a read-only disk says ENOENT. */
const diskCodes: ReadonlySet<string> = new Set("ENOSPC EDQUOT EROFS ENOENT EIO EMFILE ENFILE EACCES".split(" "));

/** A store that refuses or cannot be reached is 503; anything else stays what it was. */
export const storeFailure = (error: unknown): unknown => {
  const code = codeOf(error);
  return error instanceof BlobStoreFailure || diskCodes.has(code)
    ? apiError("unavailable", {}, { "retry-after": "5" })
    : error;
};
