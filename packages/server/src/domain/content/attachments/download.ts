import { Readable } from "node:stream";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import { apiError } from "../../../errors.ts";
import { type Answer, notModified, quoted } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import type { RequestFacts } from "../../../http/route.ts";
import type { BlobStore } from "../../../ports/blobs/blob-store.ts";
import { isShownInline } from "../../../ports/images/sniff.ts";
import { storeFailure } from "./blob-failure.ts";
import { type ByteRange, parseRange } from "./byte-range.ts";
import { contentDisposition } from "./file-name.ts";

/** A browser's PDF viewer does not work in a sandbox; any other opened file must not run anything. */
const policyOf = (contentType: string): string =>
  contentType === "application/pdf"
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const headersOf = (row: AttachmentRow): Record<string, string> => ({
  etag: quoted(row.sha256),
  "accept-ranges": "bytes",
  "cache-control": "private, no-cache",
  "content-security-policy": policyOf(row.content_type),
  "content-disposition": contentDisposition(isShownInline(row.content_type) ? "inline" : "attachment", row.file_name),
  "x-content-type-options": "nosniff",
});

/** Streams the file, or the requested part, from the store. */
export async function download(
  blobs: BlobStore,
  row: AttachmentRow,
  { method, headers }: Pick<RequestFacts, "method" | "headers">,
): Promise<Answer> {
  if (alreadyHas(headers["if-none-match"], row.sha256)) return notModified(row.sha256);
  const isSame = headers["if-range"] === undefined || headers["if-range"] === quoted(row.sha256);
  const range = isSame ? parseRange(headers.range, row.size) : undefined;
  if (range === "outside")
    throw apiError("range_not_satisfiable", { size: row.size }, { "content-range": `bytes */${row.size}` });
  const length = range ? range.end - range.start + 1 : row.size;
  const body = method === "HEAD" ? Readable.from([]) : await open(blobs, row, range);
  return {
    status: range ? 206 : 200,
    headers: {
      ...headersOf(row),
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${range.start}-${range.end}/${row.size}` }),
    },
    raw: { contentType: row.content_type, body },
  };
}

const open = (blobs: BlobStore, row: AttachmentRow, range: ByteRange | undefined): Promise<Readable> =>
  blobs.get(row.blob_key, range).then(
    ({ stream }) => stream,
    (error) => {
      throw storeFailure(error);
    },
  );
