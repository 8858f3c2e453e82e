import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import { newId } from "../../../ids.ts";
import type { BlobStore, PutOptions } from "../../../ports/blobs/blob-store.ts";
import { firstBytes } from "../../../ports/images/first-bytes.ts";
import { IMAGE_HEAD_BYTES, imageSize } from "../../../ports/images/size.ts";
import { sniffContentType } from "../../../ports/images/sniff.ts";
import { cleanFileName } from "./file-name.ts";

/** A stored file that no row refers to yet. */
export type StoredFile = Pick<
  AttachmentRow,
  "id" | "file_name" | "content_type" | "size" | "sha256" | "width" | "height" | "blob_key"
>;

/** Spread over folders to keep them small. */
const blobKeyOf = (attachmentId: string): string => `files/${attachmentId.slice(-2)}/${attachmentId}`;

/** Streams a file into the store under a new id and detects its type by its first bytes. */
export async function storeFile(
  blobs: BlobStore,
  fileName: string | undefined,
  source: AsyncIterable<Uint8Array>,
  options: Omit<PutOptions, "onChunk">,
): Promise<StoredFile> {
  const id = newId("att");
  const head = firstBytes(IMAGE_HEAD_BYTES);
  const blob_key = blobKeyOf(id);
  const { size, sha256 } = await blobs.put(blob_key, source, { ...options, onChunk: head.add });
  const content_type = await sniffContentType(head.bytes());
  const picture = content_type.startsWith("image/") ? imageSize(head.bytes()) : undefined;
  return {
    id,
    file_name: cleanFileName(fileName),
    content_type,
    size,
    sha256,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    blob_key,
  };
}
