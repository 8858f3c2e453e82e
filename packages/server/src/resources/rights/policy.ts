import { defined } from "@svc/document/defined";
import { isRecord } from "@svc/document/guards";
import type { Reader } from "../../db/database.ts";
import type { BaseRole } from "../../db/schema/tables/rights.ts";
import { apiError } from "../../errors.ts";
import { isSuggestion } from "../../http/callers/authenticate.ts";
import type { Caller } from "../../http/callers/caller.ts";
import type { Route } from "../../http/route.ts";
import { requireAtLeast, roleIn } from "../../rights/rights.ts";
import { parseDocumentUri } from "../relations/target.ts";
import { placesOfVersions } from "./language-versions.ts";
import { kindOfField, kindOfNoun, placeOf } from "./places.ts";

/** The least role that each kind of action needs in the knowledge base that it is about. */
const needed = {
  read: "viewer",
  /** What only the person themselves sees of it. */
  personal: "viewer",
  /** Whether viewers may comment and suggest, the knowledge base itself says (may-discuss.ts). */
  discuss: "viewer",
  write: "editor",
  administer: "owner",
} as const satisfies Record<string, BaseRole>;
type Action = keyof typeof needed;

/** Operations that are another action than their method says. */
const actions: Readonly<Record<string, Action>> = { put_knowledge_base_access: "administer" };

/** Fields that name what is only looked at, while the rest is changed. */
const lookedAt: ReadonlySet<string> = new Set(["canonical_document_id", "target_concept_id", "target_uri"]);
const lookedAtBy: Readonly<Record<string, ReadonlySet<string>>> = { add_concept_source: new Set(["document_id"]) };

/** Operations that make a knowledge base, which a token that is bound to others would not reach. */
const makesBase: ReadonlySet<string> = new Set(["create_knowledge_base", "import_knowledge_base"]);

/** Operations on the whole workspace that a caller with a part of it cannot do. */
const needsAll: ReadonlySet<string> = new Set(["create_webhook"]);

function actionOf(route: Route, caller: Caller, query: unknown): Action {
  const own = actions[route.operation];
  if (own) return own;
  if (route.kind === "read") return "read";
  if (route.personal) return "personal";
  return route.discusses || (route.suggestible && isSuggestion(caller, query)) ? "discuss" : "write";
}

/** What a request names. */
interface Named {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Things that the queries of a restricted reader do not leave out by themselves. */
const askedOnRead: ReadonlySet<string> = new Set(["import-jobs", "summary-jobs", "translation-jobs"]);

export type CheckAccess = (db: Reader, route: Route, caller: Caller, named: Named) => Promise<void>;

/**
 * Decides whether a caller to whom not every knowledge base is the same may do what a route does: 404 for everything
 * that they do not see, 403 where their role is too low. Reads need no more than that, as `db` shows nothing else.
 */
export async function checkAccess(db: Reader, route: Route, caller: Caller, named: Named): Promise<void> {
  const action = actionOf(route, caller, named.query);
  const noun = /\/([^/{]+)\/\{id\}/.exec(route.path)?.[1] ?? "";
  if (action === "read" && !askedOnRead.has(noun)) return;
  const fields = [...idsIn(named.query), ...idsIn(named.body)];
  const bases = new Set<number>();
  const check = async (kind: (typeof kindOfNoun)[string], id: string | number, least: BaseRole) => {
    const place = await placeOf(db, caller.workspaceId, kind, id);
    if (place === null) return;
    bases.add(place);
    requireAtLeast(roleIn(caller, place), least);
  };
  const kind = kindOfNoun[noun];
  const copies = route.operation === "copy_document" && fields.length > 0;
  const id = isRecord(named.params) ? named.params.id : undefined;
  if (kind && (typeof id === "string" || typeof id === "number"))
    await check(kind, id, copies ? "viewer" : needed[action]);
  for (const [field, value] of fields) {
    const isSeen = lookedAt.has(field) || lookedAtBy[route.operation]?.has(field);
    await check(defined(kindOfField[field]), value, isSeen ? "viewer" : needed[action]);
  }
  for (const place of await placesOfVersions(db, caller.workspaceId, { path: route.path, ...named }))
    requireAtLeast(roleIn(caller, place), needed[action]);
  if (makesBase.has(route.operation)) requireUnbound(caller, bases);
  if (needsAll.has(route.operation) || opensToAll(route, named.body)) requireAll(caller, bases);
  // What is about no knowledge base is about the workspace.
  if (bases.size === 0 && action === "write" && !isUpload(route)) requireAtLeast(caller.role, "editor");
}

/** A webhook without a knowledge base gets the events of all of them. */
const opensToAll = ({ operation }: Route, body: unknown): boolean =>
  operation === "change_webhook" && isRecord(body) && body.knowledge_base_id === null;

/** Its document is named in a part of the body: the code that receives the part checks the right. */
const isUpload = (route: Route): boolean => route.operation === "upload_attachment";

function requireUnbound({ role, rights }: Caller, places: ReadonlySet<number>): void {
  if (places.size === 0 && rights?.hidden?.mode === "only")
    throw apiError("insufficient_role", { role, hint: "A token that is bound to knowledge bases makes no other." });
}

function requireAll({ role, rights }: Caller, places: ReadonlySet<number>): void {
  if (places.size === 0 && rights?.hidden)
    throw apiError("insufficient_role", { role, hint: "Only who sees every knowledge base can do that." });
}

/** The ids that the fields of a query or a body name, with the names of the fields; what is no id is refused later. */
function idsIn(fields: unknown): [string, string | number][] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).flatMap(([field, value]): [string, string | number][] => {
    if (kindOfField[field] === undefined || (typeof value !== "string" && typeof value !== "number")) return [];
    if (field !== "target_uri") return [[field, value]];
    const target = parseDocumentUri(String(value));
    return target ? [[field, target.id]] : [];
  });
}
