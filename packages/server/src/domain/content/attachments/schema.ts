import { Type } from "typebox";
import { integerId, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";

export const Attachment = named(
  "Attachment",
  object({
    id: Type.String(),
    document_id: Type.String(),
    file_name: Type.String(),
    content_type: Type.String({ description: "Told by the file's first bytes; what the sender said is not believed." }),
    size: Type.Integer({ minimum: 0, description: "Bytes." }),
    sha256: Type.String({ description: "SHA-256 of the content, in hex; also the download's ETag." }),
    url: Type.String({ description: "Path of the download; an image node's `src`." }),
    markdown: Type.String({
      description: "Shows it in its document: a picture or a file, as a block by itself.",
    }),
    width: nullable(integerId("Pixels, for images.")),
    height: nullable(integerId("Pixels, for images.")),
    text_status: oneOf(
      ["pending", "ready", "none", "failed"],
      "Whether `/attachments/{id}/text` and search have the file's text. `none`: it has none.",
    ),
    reference_count: Type.Integer({ minimum: 0, description: "Nodes of the current body that show it." }),
    created_by: Type.String(),
    created_at: time(),
  }),
);

export const AttachmentParams = Type.Object({ id: plainText(64, "att_<ULID>") });

export const Upload = object({
  document_id: Type.String({ description: "The document it belongs to." }),
  file: Type.Unsafe<string>({
    type: "string",
    "x-described": { type: "string", contentMediaType: "application/octet-stream" },
  }),
});

export const exampleAttachment = {
  id: "att_01K9ZQ4T6N4Y3V7J8W2M5R1XCK",
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  file_name: "diagram.png",
  content_type: "image/png",
  size: 48213,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  url: "/api/v1/attachments/att_01K9ZQ4T6N4Y3V7J8W2M5R1XCK",
  markdown: "![diagram.png](/api/v1/attachments/att_01K9ZQ4T6N4Y3V7J8W2M5R1XCK)",
  width: 1280,
  height: 720,
  text_status: "none" as const,
  reference_count: 1,
  created_by: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  created_at: 1794700000000,
};
