import * as z from "zod";
import { blockId, documentId, exactlyOne, folderId, knowledgeBaseId } from "./arguments.ts";

/** The subject of a summary. */
export const targetShape = {
  document_id: documentId.optional(),
  section_block_id: blockId.optional().describe("With document_id: the section of this top-level heading."),
  folder_id: folderId.optional(),
  knowledge_base_id: knowledgeBaseId.optional(),
};

const NAMES = ["document_id", "folder_id", "knowledge_base_id"];
export const oneTarget = [exactlyOne(...NAMES), { error: `needs exactly one of ${NAMES.join(", ")}` }] as const;

export const Target = z.object(targetShape);
export type Target = z.output<typeof Target>;
