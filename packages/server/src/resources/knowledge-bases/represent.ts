import type { KnowledgeBase } from "./queries.ts";

export const knowledgeBaseOf = ({ workspace_id: _, ...row }: KnowledgeBase) => row;
