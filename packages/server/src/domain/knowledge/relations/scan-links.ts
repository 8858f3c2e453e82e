import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Reader } from "../../../db/database.ts";
import { countIncoming, type ListedDocument, listIdsOf, listUnlinked } from "./document-queries.ts";
import { listOutgoingOf, type Relation } from "./queries.ts";
import { type TargetState, targetStates } from "./target-states.ts";

/** The documents whose links are scanned, and the web addresses that belong to this service. */
export interface Scope {
  readonly db: Reader;
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  readonly vias: readonly string[];
}

/** The results so far and the position to continue from; `next` is missing at the end. */
interface Scanned<T> {
  readonly items: readonly T[];
  readonly next?: readonly string[];
}

/** One request scans at most this many documents, whatever it finds. */
const MAX_DOCUMENTS = 4000;
const MAX_RELATIONS = 2000;
const DOCUMENTS_AT_ONCE = 400;
const RELATIONS_AT_ONCE = 500;
/** Sorts after every relation id. */
const END = "rel_ZZ";

export interface Dangling {
  readonly document: ListedDocument;
  readonly relation: Relation;
  readonly state: TargetState;
}

/** Dangling relations from documents of a knowledge base, by document and id. */
export async function scanDangling(scope: Scope, after: readonly string[], limit: number): Promise<Scanned<Dangling>> {
  const { db, workspaceId, vias } = scope;
  const items: Dangling[] = [];
  let at = after;
  let documentsSeen = 0;
  let relationsSeen = 0;
  while (documentsSeen < MAX_DOCUMENTS && relationsSeen < MAX_RELATIONS) {
    const documents = await listFrom(scope, at[0] ?? "");
    if (documents.length === 0) return { items };
    const byId = new Map(documents.map((document) => [document.id, document]));
    const relations = await listOutgoingOf(db, workspaceId, [...byId.keys()], vias, at, RELATIONS_AT_ONCE);
    const stateOf = await targetStates(db, workspaceId, relations);
    for (const relation of relations) {
      const state = stateOf(relation);
      if (state !== "ok" && items.length === limit) return { items, next: at };
      if (state !== "ok") items.push({ document: defined(byId.get(relation.document_id)), relation, state });
      at = [relation.document_id, relation.id];
    }
    relationsSeen += relations.length;
    documentsSeen += documents.length;
    await yieldToEventLoop();
    if (relations.length === RELATIONS_AT_ONCE) continue;
    if (documents.length < DOCUMENTS_AT_ONCE) return { items };
    at = [defined(documents.at(-1)).id, END];
  }
  return { items, next: at };
}

const listFrom = ({ db, workspaceId, knowledgeBaseId }: Scope, from: string): Promise<ListedDocument[]> =>
  listIdsOf(db, workspaceId, knowledgeBaseId, from, DOCUMENTS_AT_ONCE);

/** Documents of a knowledge base without incoming links, by id. */
export async function scanUnlinked(
  scope: Scope,
  [after = ""]: readonly string[],
  limit: number,
): Promise<Scanned<ListedDocument>> {
  const items: ListedDocument[] = [];
  let at = after;
  for (let seen = 0; seen < MAX_DOCUMENTS; seen += DOCUMENTS_AT_ONCE) {
    const documents = await listFrom(scope, at);
    const [first, last] = [documents[0], documents.at(-1)];
    if (!first || !last) return { items };
    const range = [first.id, last.id] as const;
    const found = await listUnlinked(scope.db, scope.workspaceId, scope.knowledgeBaseId, range, scope.vias);
    for (const document of found.filter(({ id }) => id !== at)) {
      if (items.length === limit) return { items, next: [at] };
      items.push(document);
      at = document.id;
    }
    if (documents.length < DOCUMENTS_AT_ONCE) return { items };
    at = last.id;
    await yieldToEventLoop();
  }
  return { items, next: [at] };
}

export interface Linked extends ListedDocument {
  readonly count: number;
}

/** Linked documents of a knowledge base, most relations first. */
export async function rankLinked(scope: Scope): Promise<Linked[]> {
  const linked: Linked[] = [];
  for (let at = ""; ; ) {
    const documents = await listFrom(scope, at);
    const fresh = documents.filter(({ id }) => id !== at);
    if (fresh.length === 0) break;
    const ids = fresh.map(({ id }) => id);
    const counts = await countIncoming(scope.db, scope.workspaceId, ids, scope.vias);
    for (const document of fresh) {
      const count = counts.get(document.id);
      if (count !== undefined) linked.push({ ...document, count });
    }
    at = defined(ids.at(-1));
    await yieldToEventLoop();
  }
  return linked.sort(byCount);
}

type Rank = Pick<Linked, "count" | "id">;
const byCount = (a: Rank, b: Rank): number => b.count - a.count || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The index of the first document after `rank`. */
export function firstAfter(linked: readonly Linked[], rank: Rank): number {
  let [low, high] = [0, linked.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCount(defined(linked[middle]), rank) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
