import type { Reader } from "../../db/database.ts";
import type { AttachmentRow, DocumentRow } from "../../db/schema/tables/documents.ts";
import type { BlobStore } from "../../ports/blobs/blob-store.ts";

/** What is exported, and from where. */
export interface ExportSource {
  readonly db: Reader;
  readonly blobs: BlobStore;
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  /** Of that folder and what is below it only: the folder is the top of the archive. */
  readonly folderId?: number | undefined;
  /** Whether the caller may see them. */
  readonly withConcepts: boolean;
}

/** A page of documents with what belongs to them. */
export interface DocumentPage {
  readonly documents: readonly DocumentRow[];
  readonly attachments: ReadonlyMap<string, readonly AttachmentRow[]>;
}
