/** Markdown for the editor's clipboard, loaded behind it: reading and writing bodies is half as large as the editor. */
export { parseMarkdown } from "@svc/document/markdown/parse";
export { serialiseBody } from "@svc/document/markdown/serialise";
