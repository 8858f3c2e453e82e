import { serialiseBlock } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";
import type { Config } from "../../../config.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import { isPictureShownInline } from "../../../ports/images/sniff.ts";

const attachmentUrl = (id: string): string => `/api/v1/attachments/${id}`;

/** The status of a file's text: none is read while the setting is off. */
export const textStatusOf = (
  { text_status }: AttachmentRow,
  { fileText }: Pick<Config, "fileText">,
): NonNullable<AttachmentRow["text_status"]> | "pending" => text_status ?? (fileText === "on" ? "pending" : "none");

export const attachmentOf = (row: AttachmentRow, referenceCount: number, config: Pick<Config, "fileText">) => ({
  ...describedFile(row),
  text_status: textStatusOf(row, config),
  reference_count: referenceCount,
  created_by: row.created_by,
  created_at: row.created_at,
});

/** The part that an export has, too. */
export const describedFile = (row: AttachmentRow) => ({
  id: row.id,
  document_id: row.document_id,
  file_name: row.file_name,
  content_type: row.content_type,
  size: row.size,
  sha256: row.sha256,
  url: attachmentUrl(row.id),
  markdown: markdownOf(row),
  width: row.width,
  height: row.height,
});

/** An image if browsers can display it, otherwise a file. */
function markdownOf({ id, file_name, content_type }: AttachmentRow): string {
  const node: Node = isPictureShownInline(content_type)
    ? { type: "image", attrs: { attachmentId: id, src: attachmentUrl(id), alt: file_name } }
    : { type: "attachment", attrs: { attachmentId: id, name: file_name } };
  return serialiseBlock(node).text;
}
