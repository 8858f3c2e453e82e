import type { Static } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { type Freshness, incomingFreshness, outgoingFreshness } from "./freshness.ts";
import { predicateNames, REFERS_TO } from "./predicates.ts";
import { compare, listInline, listManual, type Relation, type RelationEnd } from "./queries.ts";
import { relationOf } from "./represent.ts";
import type { Direction, RelationQuery } from "./schema.ts";
import { type TargetState, targetStates } from "./target-states.ts";

interface Asked {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly query: Static<typeof RelationQuery>;
  /** The web addresses that belong to this service. */
  readonly vias: readonly string[];
}

/** One page of a document's relations, in order of creation. */
export async function listRelations(
  app: Pick<Services, "database" | "secret">,
  db: Reader,
  asked: Asked,
): Promise<ListAnswer<ReturnType<typeof relationOf>>> {
  const { workspaceId, documentId, query, vias } = asked;
  const { direction = "both", predicate } = query;
  await getDocument(db, workspaceId, documentId);
  if (predicate !== undefined && !predicateNames.includes(predicate)) throw unknownPredicate(predicate, predicateNames);
  const freshness: Freshness[] = [];
  if (direction !== "incoming") freshness.push(await outgoingFreshness(db, workspaceId, documentId));
  if (direction !== "outgoing") freshness.push(await incomingFreshness(app.database, workspaceId));
  const identity = ["relations", documentId, direction, predicate ?? null, vias];
  let stateOf: (relation: Relation) => TargetState;
  return pageOf(app.secret, identity, query, {
    fetch: async ([after = ""], size) => {
      const rows = await fetchPage(db, asked, direction, String(after), size);
      stateOf = await targetStates(db, workspaceId, rows);
      return rows;
    },
    keyOf: (row) => [row.id],
    represent: (row) => relationOf(row, directionOf(row, documentId, direction), stateOf(row)),
    more: { projection_freshness: freshness.includes("stale") ? "stale" : "current" },
  });
}

export const unknownPredicate = (predicate: string, allowed: readonly string[]) =>
  apiError("unknown_predicate", { predicate, allowed, hint: "GET /relation-types lists the registered predicates." });

const directionOf = (row: Relation, documentId: string, asked: Direction): "outgoing" | "incoming" =>
  asked === "incoming" || row.document_id !== documentId ? "incoming" : "outgoing";

async function fetchPage(
  db: Reader,
  { workspaceId, documentId, query: { predicate }, vias }: Asked,
  direction: Direction,
  after: string,
  size: number,
): Promise<Relation[]> {
  const ends: RelationEnd[] = [];
  if (direction !== "incoming") ends.push({ workspaceId, documentId, end: "document_id" });
  if (direction !== "outgoing")
    ends.push({ workspaceId, documentId, end: "target_document_id", withoutSelf: direction === "both" });
  const rows: Relation[] = [];
  for (const end of ends) {
    if (predicate === undefined || predicate === REFERS_TO)
      rows.push(...(await listInline(db, end, vias, after, size)));
    if (predicate !== REFERS_TO) rows.push(...(await listManual(db, end, predicate, after, size)));
  }
  return rows.sort((a, b) => compare(a.id, b.id)).slice(0, size);
}
