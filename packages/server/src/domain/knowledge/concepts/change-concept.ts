import { changedColumns } from "../../../db/changed-columns.ts";
import type { Tx } from "../../../db/database.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { ConceptRow } from "../../../db/schema/tables/concepts.ts";
import { apiError } from "../../../errors.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { newId } from "../../../ids.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { keepKnowledgeBases } from "../../library/knowledge-bases/queries.ts";
import { checkInterval, type Label, namesKey, readAliases, readLabels, type SentLabel } from "./labels.ts";
import { conceptVersion, insertConcept, insertHistory, lockConcept, updateConcept } from "./queries.ts";

export interface ConceptFields {
  readonly name?: string;
  readonly aliases?: readonly string[];
  readonly description?: string;
  readonly canonical_document_id?: string | null;
  readonly labels?: readonly SentLabel[];
  readonly valid_from?: number | null;
  readonly valid_to?: number | null;
}

export interface Author {
  readonly workspaceId: string;
  readonly userId: string;
}

export async function createConcept(
  tx: Tx,
  { workspaceId, userId }: Author,
  knowledgeBaseId: number,
  fields: ConceptFields & { readonly name: string },
  id = newId("concept"),
): Promise<ConceptRow> {
  await keepKnowledgeBases(tx, workspaceId, [knowledgeBaseId]);
  if (fields.canonical_document_id) await getDocument(tx, workspaceId, fields.canonical_document_id);
  checkInterval(fields.valid_from, fields.valid_to);
  const now = Date.now();
  const name = fields.name.trim();
  const aliases = readAliases(fields.aliases ?? []);
  const labels = readLabels(fields.labels ?? [], [], userId);
  const row: ConceptRow = {
    workspace_id: workspaceId,
    id,
    knowledge_base_id: knowledgeBaseId,
    name,
    names_key: namesKey(name, aliases, labels),
    aliases: JSON.stringify(aliases),
    description: fields.description ?? "",
    canonical_document_id: fields.canonical_document_id ?? null,
    labels: JSON.stringify(labels),
    valid_from: fields.valid_from ?? null,
    valid_to: fields.valid_to ?? null,
    merged_into: null,
    revision: 1,
    created_by: userId,
    created_at: now,
    updated_at: now,
  };
  await insertConcept(tx, row);
  await insertHistory(tx, { ...historyOf(row, userId, "created"), details: { name } });
  return row;
}

export const historyOf = (row: Pick<ConceptRow, "workspace_id" | "id">, userId: string, action: string) => ({
  workspace_id: row.workspace_id,
  concept_id: row.id,
  action,
  user_id: userId,
});

/** Locks the concept, if the caller knows its current version and it has not been merged. */
export async function lockExpected(
  tx: Tx,
  workspaceId: string,
  id: string,
  expected: Expected | undefined,
): Promise<ConceptRow> {
  const row = await lockConcept(tx, workspaceId, id);
  const version = requireExpected(expected);
  // Reading a merged id returns the version of the surviving concept.
  checkLive(row);
  checkExpected(version, conceptVersion(row));
  return row;
}

export function checkLive(row: ConceptRow): void {
  if (row.merged_into !== null)
    throw apiError("concept_merged", {
      merged_into: row.merged_into,
      hint: `Change svc://concept/${row.merged_into} instead.`,
    });
}

export async function changeConcept(
  tx: Tx,
  { workspaceId, userId }: Author,
  id: string,
  fields: ConceptFields,
  expected: Expected | undefined,
): Promise<ConceptRow> {
  const row = await lockExpected(tx, workspaceId, id, expected);
  if (fields.canonical_document_id) await getDocument(tx, workspaceId, fields.canonical_document_id);
  const name = fields.name?.trim() ?? row.name;
  const aliases = fields.aliases ? readAliases(fields.aliases) : readJson(row.aliases);
  const before: Label[] = JSON.parse(row.labels);
  const labels = fields.labels ? readLabels(fields.labels, before, userId) : before;
  const validFrom = fields.valid_from === undefined ? row.valid_from : fields.valid_from;
  const validTo = fields.valid_to === undefined ? row.valid_to : fields.valid_to;
  checkInterval(validFrom, validTo);
  const changes = {
    name,
    names_key: namesKey(name, aliases, labels),
    aliases: JSON.stringify(aliases),
    description: fields.description ?? row.description,
    canonical_document_id:
      fields.canonical_document_id === undefined ? row.canonical_document_id : fields.canonical_document_id,
    labels: JSON.stringify(labels),
    valid_from: validFrom,
    valid_to: validTo,
  };
  const { names_key, ...visible } = changedColumns(row, changes);
  if (names_key === undefined && Object.keys(visible).length === 0) return row;
  const columns = new Map(Object.entries(row));
  const details = Object.fromEntries(
    Object.entries(visible).map(([column, to]) => [column, { from: columns.get(column), to }]),
  );
  await insertHistory(tx, { ...historyOf(row, userId, "changed"), details });
  return updateConcept(tx, row, changes);
}
