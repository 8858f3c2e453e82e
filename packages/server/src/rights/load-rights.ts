import type { Reader } from "../db/database.ts";
import type { Role } from "../db/schema/tables/accounts.ts";
import type { BaseRole } from "../db/schema/tables/rights.ts";
import { hiddenBy, Rights, roleFrom, type Stated } from "./rights.ts";

/** Who asks, and with a token that is bound to some knowledge bases or to none. */
export interface Asking {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: Role;
  /** Changes whenever roles or groups of the workspace do; 0 as long as nobody has set any. */
  readonly rightsVersion: number;
  /** Null: all. */
  readonly boundTo: readonly number[] | null;
}

/** Whether the role in the workspace is not all there is to say. For most callers it is, and nothing is read. */
export const needsRights = ({ role, rightsVersion, boundTo }: Asking): boolean =>
  boundTo !== null || (rightsVersion > 0 && role !== "owner");

/** What somebody may do where, for reading what they see. */
export async function loadRights(db: Reader, asking: Asking): Promise<Rights | undefined> {
  if (!needsRights(asking)) return undefined;
  const roles = await rolesOf(db, asking);
  const few = asking.boundTo === null ? await listFewShown(db, asking.workspaceId, hiddenBy(roles)) : undefined;
  const rights = new Rights(asking.role, roles, asking.boundTo, few);
  return roles.size === 0 && !rights.hidden ? undefined : rights;
}

/** The same for asking what their role is, and nothing else. */
export const loadRoles = async (db: Reader, asking: Asking): Promise<Rights | undefined> =>
  needsRights(asking) ? new Rights(asking.role, await rolesOf(db, asking), asking.boundTo) : undefined;

const rolesOf = async (db: Reader, asking: Asking): Promise<Map<number, BaseRole>> =>
  asking.role === "owner" ? new Map() : statedRoles(db, asking);

/** Rows that a page of a list has at most, roughly. */
const PAGE = 50;
/** Longer lists cost more than the rows that they save. */
const MOST_FEW = 200;

/**
 * The knowledge bases that are not hidden, where all of their documents are fewer than what a list would pass by in
 * its order: whoever sees ten of a thousand would look at a thousand rows for ten. How many documents there are may
 * change meanwhile, which knowledge bases there are not: a new one changes the version, too.
 */
async function listFewShown(db: Reader, workspaceId: string, hidden: readonly number[]): Promise<number[] | undefined> {
  if (hidden.length === 0) return undefined;
  const all = await db
    .selectFrom("knowledge_bases")
    .select(["id", "document_count"])
    .where("workspace_id", "=", workspaceId)
    .execute();
  const isHidden = new Set(hidden);
  const shown = all.filter(({ id }) => !isHidden.has(id));
  const documentsOf = (bases: typeof all) => bases.reduce((sum, { document_count }) => sum + document_count, 0);
  const isFew = shown.length <= MOST_FEW && documentsOf(shown) ** 2 < PAGE * documentsOf(all);
  return isFew ? shown.map(({ id }) => id) : undefined;
}

/** The ids of a token's knowledge bases as they are stored. */
export const parseBound = (ids: string | null): number[] | null =>
  ids === null ? null : ids.split(" ").filter(Boolean).map(Number);

type Mutable = { -readonly [K in keyof Stated]: Stated[K] } & { groupRoles: BaseRole[] };

/** The role in each knowledge base about which something is said that concerns the person. */
async function statedRoles(db: Reader, { workspaceId, userId, role }: Asking): Promise<Map<number, BaseRole>> {
  const stated = new Map<number, Mutable>();
  const about = (id: number): Mutable => {
    const known = stated.get(id) ?? { defaultRole: null, groupRoles: [] };
    stated.set(id, known);
    return known;
  };
  for (const { id, default_role } of await listDefaults(db, workspaceId)) about(id).defaultRole = default_role;
  for (const row of await listMemberRoles(db, workspaceId, userId)) about(row.knowledge_base_id).memberRole = row.role;
  for (const row of await listGroupRoles(db, "base_roles", workspaceId, userId))
    about(row.knowledge_base_id).groupRoles.push(row.role);
  await addFormerRoles(db, { workspaceId, userId }, about);
  return new Map([...stated].map(([id, what]) => [id, roleFrom(role, what)]));
}

/** Roles in deleted knowledge bases, for the events about them. */
async function addFormerRoles(
  db: Reader,
  { workspaceId, userId }: Pick<Asking, "workspaceId" | "userId">,
  about: (id: number) => Mutable,
): Promise<void> {
  const own = await db
    .selectFrom("former_roles")
    .select(["knowledge_base_id", "subject_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where("subject_id", "in", ["", userId])
    .execute();
  for (const { knowledge_base_id: id, subject_id, role } of own)
    if (subject_id === "") about(id).defaultRole = role;
    else about(id).memberRole = role;
  for (const { knowledge_base_id: id, role } of await listGroupRoles(db, "former_roles", workspaceId, userId))
    about(id).groupRoles.push(role);
}

const listDefaults = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("knowledge_bases")
    .select(["id", "default_role"])
    .where("workspace_id", "=", workspaceId)
    .where("default_role", "is not", null)
    .execute();

const listMemberRoles = (db: Reader, workspaceId: string, userId: string) =>
  db
    .selectFrom("base_roles")
    .select(["knowledge_base_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where("subject_id", "=", userId)
    .execute();

const listGroupRoles = (db: Reader, roles: "base_roles" | "former_roles", workspaceId: string, userId: string) =>
  db
    .selectFrom(roles)
    .select(["knowledge_base_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where("subject_id", "in", (eb) =>
      eb
        .selectFrom("group_members as g")
        .select("g.group_id")
        .where("g.workspace_id", "=", workspaceId)
        .where("g.user_id", "=", userId),
    )
    .execute();
