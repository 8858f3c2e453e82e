import type { Reader } from "../db/database.ts";
import type { Role } from "../db/schema/tables/accounts.ts";
import type { BaseRole } from "../db/schema/tables/rights.ts";
import { type AssignedRoles, hiddenBy, Rights, roleFrom } from "./rights.ts";

/** A user, and the knowledge bases that their token is limited to. */
export interface Subject {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: Role;
  /** Changes whenever roles or groups of the workspace do; 0 if nobody has set any yet. */
  readonly rightsVersion: number;
  /** Null: all. */
  readonly boundTo: readonly number[] | null;
}

/** Whether the role in the workspace is not enough to decide. It is enough for most callers, and nothing is read. */
export const needsRights = ({ role, rightsVersion, boundTo }: Subject): boolean =>
  boundTo !== null || (rightsVersion > 0 && role !== "owner");

/** Loads a subject's rights, with the filter for reading. */
export async function loadRights(db: Reader, subject: Subject): Promise<Rights | undefined> {
  if (!needsRights(subject)) return undefined;
  const roles = await rolesOf(db, subject);
  const visibleIds =
    subject.boundTo === null ? await listFewVisible(db, subject.workspaceId, hiddenBy(roles)) : undefined;
  const rights = new Rights(subject.role, roles, subject.boundTo, visibleIds);
  return roles.size === 0 && !rights.hidden ? undefined : rights;
}

/** Loads a subject's roles without a list of visible ids. */
export const loadRoles = async (db: Reader, subject: Subject): Promise<Rights | undefined> =>
  needsRights(subject) ? new Rights(subject.role, await rolesOf(db, subject), subject.boundTo) : undefined;

const rolesOf = async (db: Reader, subject: Subject): Promise<Map<number, BaseRole>> =>
  subject.role === "owner" ? new Map() : loadAssignedRoles(db, subject);

/** The approximate number of rows on a page of a list. */
const PAGE = 50;
/** Longer lists cost more than the rows that they save. */
const MAX_VISIBLE_IDS = 200;

/**
 * Returns the visible knowledge bases if they have so few documents that a list finds them faster by knowledge base
 * than by passing over the hidden rows of its order: otherwise a person who sees ten documents of a thousand would read
 * a thousand rows for ten. The number of documents may change meanwhile, but not the set of knowledge bases: a new one
 * changes the rights version too.
 */
async function listFewVisible(
  db: Reader,
  workspaceId: string,
  hidden: readonly number[],
): Promise<number[] | undefined> {
  if (hidden.length === 0) return undefined;
  const all = await db
    .selectFrom("knowledge_bases")
    .select(["id", "document_count"])
    .where("workspace_id", "=", workspaceId)
    .execute();
  const isHidden = new Set(hidden);
  const shown = all.filter(({ id }) => !isHidden.has(id));
  const documentsOf = (bases: typeof all) => bases.reduce((sum, { document_count }) => sum + document_count, 0);
  const isFew = shown.length <= MAX_VISIBLE_IDS && documentsOf(shown) ** 2 < PAGE * documentsOf(all);
  return isFew ? shown.map(({ id }) => id) : undefined;
}

/** Parses the stored ids of a token's knowledge bases. */
export const parseBound = (ids: string | null): number[] | null =>
  ids === null ? null : ids.split(" ").filter(Boolean).map(Number);

type Mutable = { -readonly [K in keyof AssignedRoles]: AssignedRoles[K] } & { groupRoles: BaseRole[] };

/** The role in each knowledge base with an assignment that concerns the person. */
async function loadAssignedRoles(db: Reader, { workspaceId, userId, role }: Subject): Promise<Map<number, BaseRole>> {
  const assigned = new Map<number, Mutable>();
  const entry = (id: number): Mutable => {
    const known = assigned.get(id) ?? { defaultRole: null, groupRoles: [] };
    assigned.set(id, known);
    return known;
  };
  for (const { id, default_role } of await listDefaults(db, workspaceId)) entry(id).defaultRole = default_role;
  for (const row of await listMemberRoles(db, workspaceId, userId)) entry(row.knowledge_base_id).memberRole = row.role;
  for (const row of await listGroupRoles(db, "base_roles", workspaceId, userId))
    entry(row.knowledge_base_id).groupRoles.push(row.role);
  await addFormerRoles(db, { workspaceId, userId }, entry);
  return new Map([...assigned].map(([id, what]) => [id, roleFrom(role, what)]));
}

/** Roles in deleted knowledge bases, for the events about them. */
async function addFormerRoles(
  db: Reader,
  { workspaceId, userId }: Pick<Subject, "workspaceId" | "userId">,
  entry: (id: number) => Mutable,
): Promise<void> {
  const own = await db
    .selectFrom("former_roles")
    .select(["knowledge_base_id", "subject_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where("subject_id", "in", ["", userId])
    .execute();
  for (const { knowledge_base_id: id, subject_id, role } of own)
    if (subject_id === "") entry(id).defaultRole = role;
    else entry(id).memberRole = role;
  for (const { knowledge_base_id: id, role } of await listGroupRoles(db, "former_roles", workspaceId, userId))
    entry(id).groupRoles.push(role);
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
