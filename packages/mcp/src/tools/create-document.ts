import * as z from "zod";
import { folderId, knowledgeBaseId, markdown, name } from "../arguments.ts";
import { facts, lines, oneLine } from "../text.ts";
import { writingTool } from "../tool.ts";

export const createDocument = writingTool({
  name: "create_document",
  title: "Create a document",
  description:
    "Creates a document with a title and Markdown text. The title is not part of the text: do not repeat it as a heading. Answers its document_id and version.",
  scopes: ["documents:write"],
  input: z.strictObject({
    title: name("Its title."),
    knowledge_base_id: knowledgeBaseId,
    folder_id: folderId.optional().describe("The folder it goes into; left out: the top level."),
    markdown: markdown("Its text. Link other documents as [text](svc://doc/<document_id>).").default(""),
  }),
  run: async (client, { markdown: content, ...place }) => {
    const { data } = await client.post("/documents", {
      body: { ...place, ...(content !== "" && { content: { format: "markdown", content } }) },
    });
    const { id: document_id, version, block_count, uri } = data;
    return {
      text: lines(
        `Created **${oneLine(data.title)}**.`,
        facts({
          document_id,
          version,
          uri,
          knowledge_base_id: data.knowledge_base_id,
          folder_id: data.folder_id,
          blocks: block_count,
        }),
      ),
      data: { document_id, version, uri },
    };
  },
});
