import { MAX_FILE_ADDRESS_CHARACTERS, MAX_FILE_ADDRESSES } from "@svc/document/markdown/file-addresses";
import { Type } from "typebox";
import { named, object } from "../../http/schemas.ts";

/** Any object: its nodes are checked one by one, and an error names the path of the first wrong one. */
const tiptap = Type.Unsafe<unknown>({
  type: "object",
  description: 'A Tiptap document: `{"type": "doc", "content": [node, …]}`.',
});

const address = Type.String({ minLength: 1, maxLength: MAX_FILE_ADDRESS_CHARACTERS });

const MarkdownContent = named(
  "MarkdownContent",
  object({
    format: Type.Literal("markdown"),
    content: Type.String({ description: "Markdown, with or without anchors." }),
    file_addresses: Type.Optional(
      Type.Record(address, address, {
        maxProperties: MAX_FILE_ADDRESSES,
        description:
          "For programs that keep files: by an address in this Markdown, how the file writes it. Without it, what is known stays.",
      }),
    ),
  }),
);
const TiptapContent = named("TiptapContent", object({ format: Type.Literal("tiptap-json"), document: tiptap }));
/** The body of a document as clients send it. */
export const BodyContent = Type.Union([MarkdownContent, TiptapContent]);
