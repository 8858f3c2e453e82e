import type { Reader } from "../../../db/database.ts";
import { listVersions } from "../../library/documents/queries.ts";
import { listConceptsById, listHistory } from "./queries.ts";

interface Details {
  /** The data needed to undo a merge, which is not part of the API. */
  readonly undo?: unknown;
  readonly document_id?: string;
  readonly canonical_document_id?: { readonly from: string | null; readonly to: string | null };
  readonly source_concept_id?: string;
  readonly target_concept_id?: string;
  readonly survivor_id?: string;
}

/** Up to `size` entries, newest first. Omits entries that name a document or concept that the caller cannot see. */
export async function listShownHistory(
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
  before: number,
  size: number,
) {
  const shown: ReturnType<typeof entryOf>[] = [];
  for (let last = before; shown.length < size; ) {
    const rows = (await listHistory(db, workspaceId, conceptIds, last, size)).map(entryOf);
    shown.push(...(await withoutHidden(db, workspaceId, rows)));
    const oldest = rows.at(-1);
    if (!oldest || rows.length < size) break;
    last = oldest.id;
  }
  return shown.slice(0, size);
}

function entryOf(row: Awaited<ReturnType<typeof listHistory>>[number]) {
  const { undo: _, ...details }: Details = JSON.parse(row.details);
  return { ...row, details };
}

async function withoutHidden<Row extends { readonly details: Details }>(
  db: Reader,
  workspaceId: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (db.audience === undefined) return rows;
  const ofDocuments = rows.flatMap(({ details }) => documentsIn(details));
  const documents = await listVersions(db, workspaceId, [...new Set(ofDocuments)]);
  const concepts = await listConceptsById(db, workspaceId, [
    ...new Set(rows.flatMap(({ details }) => conceptsIn(details))),
  ]);
  const seen = new Set([...documents.keys(), ...concepts.map(({ id }) => id)]);
  return rows.filter(({ details }) => [...documentsIn(details), ...conceptsIn(details)].every((id) => seen.has(id)));
}

const documentsIn = ({ document_id, canonical_document_id: canonical }: Details): string[] =>
  [document_id, canonical?.from, canonical?.to].filter((id) => typeof id === "string");

const conceptsIn = ({ source_concept_id, target_concept_id, survivor_id }: Details): string[] =>
  [source_concept_id, target_concept_id, survivor_id].filter((id) => id !== undefined);
