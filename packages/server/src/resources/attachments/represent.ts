import type { AttachmentRow } from "../../db/schema/tables/documents.ts";

const attachmentUrl = (id: string): string => `/api/v1/attachments/${id}`;

export const attachmentOf = (row: AttachmentRow, referenceCount: number) => ({
  id: row.id,
  document_id: row.document_id,
  file_name: row.file_name,
  content_type: row.content_type,
  size: row.size,
  sha256: row.sha256,
  url: attachmentUrl(row.id),
  width: row.width,
  height: row.height,
  reference_count: referenceCount,
  created_by: row.created_by,
  created_at: row.created_at,
});
