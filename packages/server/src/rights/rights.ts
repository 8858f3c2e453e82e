import { type BaseFilter, hides } from "../db/audience/base-filter.ts";
import type { Role } from "../db/schema/tables/accounts.ts";
import { type BaseRole, baseRoles } from "../db/schema/tables/rights.ts";
import { apiError } from "../errors.ts";

const rankOf = (role: BaseRole): number => baseRoles.indexOf(role);

/** Whether a role allows what another one allows. */
export const reaches = (role: BaseRole, needed: BaseRole): boolean => rankOf(role) >= rankOf(needed);

const highest = (roles: readonly BaseRole[]): BaseRole =>
  roles.reduce((best, role) => (reaches(role, best) ? role : best), "none");

/** What is said about one knowledge base, as far as it concerns one person. */
export interface Stated {
  /** Null: the role in the workspace counts. */
  readonly defaultRole: BaseRole | null;
  readonly memberRole?: BaseRole | undefined;
  readonly groupRoles: readonly BaseRole[];
}

/** The highest counts; `none` for the person beats their groups and the default. An owner of the workspace is one everywhere. */
export function roleFrom(workspaceRole: Role, { defaultRole, memberRole, groupRoles }: Stated): BaseRole {
  if (workspaceRole === "owner") return "owner";
  if (memberRole === "none") return "none";
  return highest([defaultRole ?? workspaceRole, ...groupRoles, ...(memberRole ? [memberRole] : [])]);
}

export const hiddenBy = (roles: ReadonlyMap<number, BaseRole>): number[] =>
  [...roles].filter(([, role]) => role === "none").map(([id]) => id);

/**
 * What a caller may do where, for callers to whom not every knowledge base is the same. Others have none: their role in
 * the workspace counts everywhere.
 */
export class Rights {
  /** Knowledge bases whose content the caller never sees; undefined when there are none. */
  readonly hidden: BaseFilter | undefined;
  readonly #workspaceRole: Role;
  readonly #roles: ReadonlyMap<number, BaseRole>;

  /** `boundTo`: the only knowledge bases that a token reaches; null for all. `few` as in a filter. */
  constructor(
    workspaceRole: Role,
    roles: ReadonlyMap<number, BaseRole>,
    boundTo: readonly number[] | null,
    few?: readonly number[],
  ) {
    this.#workspaceRole = workspaceRole;
    this.#roles = roles;
    const none = hiddenBy(roles);
    if (boundTo) this.hidden = { mode: "only", ids: boundTo.filter((id) => !none.includes(id)) };
    else this.hidden = none.length > 0 ? { mode: "except", ids: none, ...(few && { few }) } : undefined;
  }

  /** One that says so by itself, whatever the role in the workspace is. */
  get writesSomewhere(): boolean {
    return [...this.#roles].some(([id, role]) => reaches(role, "editor") && !hides(this.hidden, id));
  }

  roleIn(knowledgeBaseId: number): BaseRole {
    if (hides(this.hidden, knowledgeBaseId)) return "none";
    return this.#roles.get(knowledgeBaseId) ?? this.#workspaceRole;
  }
}

/** Whether there is a knowledge base in which a caller may write. */
export const writesSomewhere = ({ role, rights }: Holder): boolean =>
  reaches(role, "editor") || (rights?.writesSomewhere ?? false);

/** Who has a role of their own in each knowledge base. */
interface Holder {
  readonly role: Role;
  readonly rights: Rights | undefined;
}

/** The role of a caller in a knowledge base. */
export const roleIn = ({ role, rights }: Holder, knowledgeBaseId: number): BaseRole =>
  rights?.roleIn(knowledgeBaseId) ?? role;

/** 403 for a role that allows less. */
export function requireAtLeast(role: BaseRole, least: BaseRole): void {
  if (!reaches(role, least)) throw apiError("insufficient_role", { role });
}

export const requireRoleIn = (holder: Holder, knowledgeBaseId: number, least: BaseRole): void =>
  requireAtLeast(roleIn(holder, knowledgeBaseId), least);
