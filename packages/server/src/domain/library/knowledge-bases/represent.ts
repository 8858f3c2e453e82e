import type { KnowledgeBase } from "./queries.ts";

export const knowledgeBaseOf = ({
  workspace_id: _,
  members_may_comment,
  default_role: _role,
  ...row
}: KnowledgeBase) => ({
  ...row,
  members_may_comment: members_may_comment === 1,
});
