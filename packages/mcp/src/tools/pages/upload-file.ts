import { uploadAttachment } from "@svc/sdk";
import * as z from "zod";
import { documentId, exactlyOne, name } from "../../arguments.ts";
import { lines, oneLine } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";
import { factsOf } from "./read-files.ts";

export const uploadFile = writingTool({
  name: "upload_file",
  title: "Upload a file",
  set: "core",
  description:
    "Attaches a small file, given as text or base64, to a document. Answers the Markdown that shows it there, for edit_markdown.",
  scopes: ["attachments:write"],
  input: z.strictObject({
    document_id: documentId,
    file_name: name("").describe(""),
    text: z.string().optional(),
    base64: z.string().optional(),
  }),
  run: async (client, { document_id: documentId, file_name: fileName, ...given }) => {
    const file = { documentId, fileName, content: contentOf(given) };
    const uploaded = await uploadAttachment(client, file);
    return {
      text: lines(
        `Uploaded **${oneLine(uploaded.file_name)}**: ${factsOf(uploaded)}.`,
        `Not shown yet; as a block of that document it is: ${uploaded.markdown}`,
      ),
    };
  },
});

interface Given {
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
}

function contentOf({ text, base64 }: Given): Uint8Array<ArrayBuffer> {
  if (!exactlyOne("text", "base64")({ text, base64 }))
    throw new UsageError("**invalid_arguments**: a file has either text or base64.", "send one of them.");
  return text === undefined ? bytesOf(base64 ?? "") : new TextEncoder().encode(text);
}

/** Decodes Base64. Models also send data URLs, line breaks and the URL-safe alphabet. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = base64.replace(/^data:[^,]{0,200};base64,/, "").replace(/\s+|={1,2}\s*$/g, "");
  if (!/^[\w+/-]*$/.test(letters) || letters.length % 4 === 1)
    throw new UsageError(
      "**invalid_arguments**: base64 is not valid: it has other letters, or is cut short.",
      "encode the whole file again; what is plain text goes as text.",
    );
  return Uint8Array.from(Buffer.from(letters, "base64"));
}
