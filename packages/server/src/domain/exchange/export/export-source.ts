import type { Reader } from "../../../db/database.ts";
import type { AttachmentRow, DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { BlobStore } from "../../../ports/blobs/blob-store.ts";

/** The content to export and the stores to read it from. */
export interface ExportSource {
  readonly db: Reader;
  readonly blobs: BlobStore;
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  /** Export only this folder and its descendants; it becomes the top of the archive. */
  readonly folderId?: number | undefined;
  /** Whether the caller may see concepts. */
  readonly withConcepts: boolean;
}

/** A page of documents with their related rows. */
export interface DocumentPage {
  readonly documents: readonly DocumentRow[];
  readonly attachments: ReadonlyMap<string, readonly AttachmentRow[]>;
}
