import { isRecord } from "@svc/document/guards";
import type { VisibleReader } from "../../../db/database.ts";
import type { BaseRole } from "../../../db/schema/tables/rights.ts";
import { apiError } from "../../../errors.ts";
import type { Access, Action, Named, Subject } from "../../../http/access.ts";
import { isSuggestion } from "../../../http/callers/authenticate.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { requireAtLeast, roleIn } from "../../../rights/rights.ts";
import type { AccessPolicy, RequestFields } from "../../../services/access-policy.ts";
import { parseDocumentUri } from "../../knowledge/relations/target.ts";
import { checkReplay } from "./check-replay.ts";
import { basesOfVersions } from "./language-versions.ts";
import { type Id, isId, knowledgeBaseOf, subjects } from "./subjects.ts";

/** The least role that each action needs in the knowledge base of its subject. */
const leastRole: Readonly<Record<Action, BaseRole>> = {
  sign_in: "none",
  read: "viewer",
  personal: "viewer",
  discuss: "viewer",
  write_or_suggest: "editor",
  write: "editor",
  create: "editor",
  administer: "owner",
};

/**
 * Checks that a caller with rights of their own may do what a route declares: 404 for every subject that the caller
 * does not see, 403 where the caller's role is too low. `db` is the caller's reader, so most reads need no check.
 */
async function checkRequest(db: VisibleReader, access: Access, caller: Caller, fields: RequestFields): Promise<void> {
  if (access.action === "read" && !isCheckedOnRead(access)) return;
  const least = leastRole[actionFor(access, caller, fields.query)];
  const bases = new Set<number>();
  for (const { subject, id, role = least } of subjectsIn(access, fields)) {
    const base = await knowledgeBaseOf(db, caller.workspaceId, subject, id);
    if (base === null) continue;
    bases.add(base);
    requireAtLeast(roleIn(caller, base), role);
  }
  if (access.changesVersions)
    for (const base of await basesOfVersions(db, caller.workspaceId, fields))
      requireAtLeast(roleIn(caller, base), least);
  checkWorkspace(access, caller, fields, bases.size > 0);
}

const isCheckedOnRead = ({ subject }: Access): boolean =>
  subject !== "workspace" && subjects[subject].isCheckedOnRead === true;

const actionFor = ({ action }: Access, caller: Caller, query: unknown): Action =>
  action === "write_or_suggest" && isSuggestion(caller, query) ? "discuss" : action;

/** A subject that a request names, with the least role there if it is not the one of the action. */
interface NamedSubject {
  readonly subject: Subject;
  readonly id: Id;
  readonly role: BaseRole | undefined;
}

function subjectsIn(access: Access, { params, query, body }: RequestFields): NamedSubject[] {
  const { subject, writes, reads, copiesTo = {} } = access;
  const given: Record<string, unknown> = { ...(isRecord(query) && query), ...(isRecord(body) && body) };
  const namedBy = (fields: Access["writes"] = {}, role?: BaseRole) =>
    Object.entries(fields).flatMap(([field, named]) => namedSubject(named, given[field], role));
  const isCopied = Object.keys(copiesTo).some((field) => isId(given[field]));
  const id = isRecord(params) ? params.id : undefined;
  return [
    ...(subject === "workspace" ? [] : namedSubject(subject, id, isCopied ? "viewer" : undefined)),
    ...namedBy(writes),
    ...namedBy(copiesTo),
    ...namedBy(reads, "viewer"),
  ];
}

/** An id of another type is refused when the request is validated. */
function namedSubject(named: Named | undefined, id: unknown, role: BaseRole | undefined): NamedSubject[] {
  if (named === undefined || !isId(id)) return [];
  if (named !== "document_uri") return [{ subject: named, id, role }];
  const target = parseDocumentUri(String(id));
  return target ? [{ subject: "document", id: target.id, role }] : [];
}

/** Checks the part of a request that is about the whole workspace. */
function checkWorkspace(access: Access, { role, rights }: Caller, fields: RequestFields, namesBase: boolean): void {
  const { action, subject } = access;
  if (action === "create" && subject === "knowledge_base" && rights?.hidden?.mode === "only")
    throw apiError("insufficient_role", { role, hint: "A token limited to knowledge bases cannot create one." });
  const coversAll = coversEveryBase(access, fields);
  if (coversAll && rights?.hidden)
    throw apiError("insufficient_role", { role, hint: "This needs access to all knowledge bases." });
  const isWrite = action === "write" || action === "create";
  if (isWrite && (coversAll || !namesBase) && !access.checkedByHandler) requireAtLeast(role, "editor");
}

function coversEveryBase({ action, coversAllWithout: field }: Access, { body }: RequestFields): boolean {
  if (field === undefined) return false;
  const value = isRecord(body) ? body[field] : undefined;
  return value === null || (value === undefined && action === "create");
}

export const accessPolicy: AccessPolicy = { checkRequest, checkReplay };
