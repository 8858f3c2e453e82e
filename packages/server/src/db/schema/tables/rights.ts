/** The roles in a knowledge base, the lowest first. */
export const baseRoles = ["none", "viewer", "commenter", "editor", "owner"] as const;
export type BaseRole = (typeof baseRoles)[number];

export interface MemberGroupRow {
  workspace_id: string;
  id: string;
  name: string;
  created_at: number;
  updated_at: number;
}

export interface GroupMemberRow {
  workspace_id: string;
  group_id: string;
  user_id: string;
}

/** A role in a deleted knowledge base: its events stay hidden from the same people. */
export interface FormerRoleRow extends BaseRoleRow {
  /** Empty: the default role. */
  subject_id: string;
  ended_at: number;
}

/** A role of a member or of a group in one knowledge base. */
export interface BaseRoleRow {
  workspace_id: string;
  /** Id of the user or group. */
  subject_id: string;
  knowledge_base_id: number;
  role: BaseRole;
}
