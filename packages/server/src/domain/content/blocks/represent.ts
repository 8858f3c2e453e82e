import type { BlockInfo } from "@svc/document/blocks/find";
import { plainText } from "@svc/document/read/text";
import { blockMarkdown } from "../../../bodies/parsing/block-markdown.ts";

/** A block as the API shows it; `version` is the document's. */
export const blockOf = (info: BlockInfo, version: string, format?: "markdown" | "tiptap-json") => ({
  ...info,
  text: plainText(info.node),
  ...(format === "markdown" && { markdown: blockMarkdown(info.node).text }),
  version,
});
