import { type BaseFilter, hides } from "../db/audience/base-filter.ts";
import type { Role } from "../db/schema/tables/accounts.ts";
import { type BaseRole, baseRoles } from "../db/schema/tables/rights.ts";
import { apiError } from "../errors.ts";

const rankOf = (role: BaseRole): number => baseRoles.indexOf(role);

/** Whether a role includes another one. */
export const reaches = (role: BaseRole, needed: BaseRole): boolean => rankOf(role) >= rankOf(needed);

const highest = (roles: readonly BaseRole[]): BaseRole =>
  roles.reduce((best, role) => (reaches(role, best) ? role : best), "none");

/** The roles in one knowledge base that concern one person. */
export interface AssignedRoles {
  /** Null: the role in the workspace counts. */
  readonly defaultRole: BaseRole | null;
  readonly memberRole?: BaseRole | undefined;
  readonly groupRoles: readonly BaseRole[];
}

/**
 * The highest role wins, but `none` for the person beats their groups and the default. A workspace owner is an owner
 * everywhere.
 */
export function roleFrom(workspaceRole: Role, { defaultRole, memberRole, groupRoles }: AssignedRoles): BaseRole {
  if (workspaceRole === "owner") return "owner";
  if (memberRole === "none") return "none";
  return highest([defaultRole ?? workspaceRole, ...groupRoles, ...(memberRole ? [memberRole] : [])]);
}

export const hiddenBy = (roles: ReadonlyMap<number, BaseRole>): number[] =>
  [...roles].filter(([, role]) => role === "none").map(([id]) => id);

/** A caller's role in each knowledge base. Undefined if it is the same everywhere. */
export class Rights {
  /** Hides the knowledge bases that the caller may not see; undefined if there are none. */
  readonly hidden: BaseFilter | undefined;
  readonly #workspaceRole: Role;
  readonly #roles: ReadonlyMap<number, BaseRole>;

  /** `boundTo`: the only knowledge bases that a token can access; null for all. `visibleIds` as in a filter. */
  constructor(
    workspaceRole: Role,
    roles: ReadonlyMap<number, BaseRole>,
    boundTo: readonly number[] | null,
    visibleIds?: readonly number[],
  ) {
    this.#workspaceRole = workspaceRole;
    this.#roles = roles;
    const none = hiddenBy(roles);
    if (boundTo) this.hidden = { mode: "only", ids: boundTo.filter((id) => !none.includes(id)) };
    else this.hidden = none.length > 0 ? { mode: "except", ids: none, ...(visibleIds && { visibleIds }) } : undefined;
  }

  /** Whether a role assigned in a knowledge base allows writing, whatever the workspace role is. */
  get writesSomewhere(): boolean {
    return [...this.#roles].some(([id, role]) => reaches(role, "editor") && !hides(this.hidden, id));
  }

  roleIn(knowledgeBaseId: number): BaseRole {
    if (hides(this.hidden, knowledgeBaseId)) return "none";
    return this.#roles.get(knowledgeBaseId) ?? this.#workspaceRole;
  }
}

/** Whether a caller may write in any knowledge base. */
export const writesSomewhere = ({ role, rights }: Holder): boolean =>
  reaches(role, "editor") || (rights?.writesSomewhere ?? false);

/** A caller whose role may differ between knowledge bases. */
interface Holder {
  readonly role: Role;
  readonly rights: Rights | undefined;
}

/** The role of a caller in a knowledge base. */
export const roleIn = ({ role, rights }: Holder, knowledgeBaseId: number): BaseRole =>
  rights?.roleIn(knowledgeBaseId) ?? role;

/** Throws 403 if the role is lower than `least`. */
export function requireAtLeast(role: BaseRole, least: BaseRole): void {
  if (!reaches(role, least)) throw apiError("insufficient_role", { role });
}

export const requireRoleIn = (holder: Holder, knowledgeBaseId: number, least: BaseRole): void =>
  requireAtLeast(roleIn(holder, knowledgeBaseId), least);
