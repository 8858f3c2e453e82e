import { Type } from "typebox";
import { exampleAttachment } from "../../../domain/content/attachments/schema.ts";
import { named, nullable, object, oneOf } from "../../../http/schemas.ts";

export const FileTextQuery = object({
  page: Type.Optional(Type.Integer({ minimum: 1, description: "The page to begin with, from 1." })),
  max_tokens: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200_000, default: 4000, description: "As for reading a document." }),
  ),
});

const reasons = ["unknown_type", "encrypted", "damaged", "too_large", "too_slow", "empty"] as const;

export const FileTextAnswer = named(
  "FileText",
  object({
    attachment_id: Type.String(),
    document_id: Type.String(),
    file_name: Type.String(),
    text_status: oneOf(["pending", "ready", "none", "failed"]),
    reason: nullable(oneOf(reasons, "Why there is no text.")),
    page_count: Type.Integer({
      description: "Pages of a PDF, slides, or parts of about 4,000 characters of anything else.",
    }),
    truncated: Type.Boolean({ description: "The file has more text than is kept." }),
    pages: Type.Array(
      object({
        page: Type.Integer({ description: "From 1." }),
        label: nullable(Type.String({ description: "The name of the sheet." })),
        text: Type.String(),
        is_cut: Type.Boolean({ description: "The page is longer than the budget; this is its beginning." }),
      }),
    ),
    next_page: nullable(Type.Integer({ description: "The page to go on with." })),
    used_tokens: Type.Integer(),
  }),
);

export const exampleFileText = {
  attachment_id: exampleAttachment.id,
  document_id: exampleAttachment.document_id,
  file_name: "report.pdf",
  text_status: "ready",
  reason: null,
  page_count: 12,
  truncated: false,
  pages: [{ page: 3, label: null, text: "Revenue grew by a tenth.", is_cut: false }],
  next_page: 4,
  used_tokens: 6,
};
