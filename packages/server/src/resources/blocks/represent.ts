import type { BlockInfo } from "@svc/document/blocks/find";
import { blockMarkdown } from "../content/block-markdown.ts";

/** A block as the API shows it; `version` is the document's. */
export const blockOf = (info: BlockInfo, version: string, format?: "markdown" | "tiptap-json") => ({
  ...info,
  ...(format === "markdown" && { markdown: blockMarkdown(info.node).text }),
  version,
});
