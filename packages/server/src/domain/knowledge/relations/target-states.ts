import { StoredBody } from "../../../bodies/body.ts";
import { findBody, loadSegments } from "../../../bodies/load-body.ts";
import { manifestOf } from "../../../bodies/manifest.ts";
import type { Reader } from "../../../db/database.ts";
import { listConceptsById } from "../concepts/queries.ts";
import { listExistingIds, listExistingSets } from "./document-queries.ts";
import type { Relation } from "./queries.ts";

export const states = ["ok", "dangling_target_block", "dangling_target_document"] as const;
export type TargetState = (typeof states)[number];

type Pointing = Pick<Relation, "target_uri" | "target_document_id" | "target_block_id">;

const SET = "svc://docset/";
const CONCEPT = "svc://concept/";

/** Whether the targets of relations exist, as this workspace sees them. */
export async function targetStates(
  db: Reader,
  workspaceId: string,
  relations: readonly Pointing[],
): Promise<(relation: Pointing) => TargetState> {
  const documents = await listExistingIds(db, workspaceId, distinct(relations.map((r) => r.target_document_id)));
  const others = await existingUris(db, workspaceId, relations);
  const withBlocks = relations.filter(({ target_block_id }) => target_block_id !== null);
  const bodies = new Map<string, StoredBody>();
  for (const documentId of distinct(withBlocks.map((r) => r.target_document_id))) {
    const body = documents.has(documentId) ? await readIfThere(db, workspaceId, documentId) : undefined;
    if (body) bodies.set(documentId, body);
    else documents.delete(documentId);
  }
  return ({ target_uri, target_document_id: documentId, target_block_id: blockId }) => {
    const isThere = documentId === null ? others.has(target_uri) : documents.has(documentId);
    if (!isThere) return "dangling_target_document";
    if (documentId === null || blockId === null) return "ok";
    return bodies.get(documentId)?.positionOf(blockId) === undefined ? "dangling_target_block" : "ok";
  };
}

/** The URIs of existing document sets and concepts, including old ids of merged concepts. */
async function existingUris(db: Reader, workspaceId: string, relations: readonly Pointing[]): Promise<Set<string>> {
  const idsAfter = (prefix: string) =>
    distinct(relations.map(({ target_uri: uri }) => (uri.startsWith(prefix) ? uri.slice(prefix.length) : null)));
  const setIds = await listExistingSets(db, workspaceId, idsAfter(SET));
  const concepts = await listConceptsById(db, workspaceId, idsAfter(CONCEPT));
  return new Set([...setIds.map((id) => SET + id), ...concepts.map(({ id }) => CONCEPT + id)]);
}

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

async function readIfThere(db: Reader, workspaceId: string, documentId: string): Promise<StoredBody | undefined> {
  const key = { workspaceId, documentId };
  const row = await findBody(db, key);
  return row && new StoredBody(row, await loadSegments(db, key, manifestOf(row)));
}
