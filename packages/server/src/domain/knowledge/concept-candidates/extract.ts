import { hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { isUnchanged } from "../../../db/changed-columns.ts";
import type { Tx } from "../../../db/database.ts";
import type { ConceptCandidateRow } from "../../../db/schema/tables/concepts.ts";
import { newId } from "../../../ids.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { lockKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import {
  insertCandidates,
  listAnchorTexts,
  listByFingerprint,
  listKnownNames,
  listTitles,
  type Mention,
  updateCandidate,
} from "./queries.ts";

const PAGE = 500;

interface Extraction {
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  /** Limits the extraction to one document. */
  readonly documentId?: string | undefined;
}

interface Extracted {
  created: number;
  refreshed: number;
  skipped_rejected: number;
}

interface Found extends Mention {
  readonly kind: ConceptCandidateRow["kind"];
}

const fingerprintOf = (knowledgeBaseId: number, key: string): string =>
  hash("sha256", `${knowledgeBaseId}\n${key}`, "hex").slice(0, 32);

/** Two to a hundred characters with a letter in them, and not an address. */
const isName = (text: string): boolean =>
  /^.{2,100}$/su.test(text) && /\p{L}/u.test(text) && !/^\w+:\/\/|^www\./i.test(text);

/**
 * Proposes a concept for each title and each explicit link text of a knowledge base; the result depends only on the
 * documents. If a name is mentioned more than once, a title is preferred to a link, then the lowest id.
 */
export async function extract(tx: Tx, scope: Extraction): Promise<Extracted> {
  await lockKnowledgeBase(tx, scope.workspaceId, scope.knowledgeBaseId);
  const found = new Map<string, Found>();
  const add = (kind: Found["kind"], mention: Mention) => {
    const name = mention.name.replace(/\s+/gu, " ").trim();
    const key = titleKey(name);
    if (isName(name) && !found.has(key)) found.set(key, { ...mention, name, kind });
  };
  await eachPage(
    (after) => listTitles(tx, scope, after, PAGE),
    (row) => row.document_id,
    (row) => add("title", row),
  );
  await eachPage(
    (after) => listAnchorTexts(tx, scope, after, PAGE),
    (row) => row.id,
    (row) => add("link", row),
  );
  const known = await listKnownNames(tx, scope.workspaceId, scope.knowledgeBaseId);
  const counts: Extracted = { created: 0, refreshed: 0, skipped_rejected: 0 };
  const names = [...found];
  for (let i = 0; i < names.length; i += PAGE)
    await storeCandidates(tx, scope, names.slice(i, i + PAGE), known, counts);
  return counts;
}

async function eachPage<T>(
  list: (after: string) => Promise<T[]>,
  keyOf: (row: T) => string,
  visit: (row: T) => void,
): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await list(after);
    rows.forEach(visit);
    if (rows.length < PAGE) return;
    after = keyOf(defined(rows.at(-1)));
  }
}

async function storeCandidates(
  tx: Tx,
  scope: Extraction,
  names: readonly (readonly [key: string, found: Found])[],
  known: ReadonlySet<string>,
  counts: Extracted,
): Promise<void> {
  const prints = new Map(names.map(([key]) => [key, fingerprintOf(scope.knowledgeBaseId, key)]));
  const stored = new Map(
    (await listByFingerprint(tx, scope.workspaceId, scope.knowledgeBaseId, [...prints.values()])).map((row) => [
      row.fingerprint,
      row,
    ]),
  );
  const fresh: ConceptCandidateRow[] = [];
  for (const [key, mention] of names) {
    const fingerprint = defined(prints.get(key));
    const candidate = stored.get(fingerprint);
    if (candidate?.status === "rejected") counts.skipped_rejected++;
    else if (candidate?.status === "pending") {
      counts.refreshed++;
      await refresh(tx, candidate, mention);
    } else if (!candidate && !known.has(key)) fresh.push(rowOf(scope, fingerprint, mention));
  }
  counts.created += fresh.length;
  if (fresh.length > 0) await insertCandidates(tx, fresh);
}

/** Updates the source; an unchanged candidate keeps its version. */
async function refresh(tx: Tx, candidate: ConceptCandidateRow, mention: Found): Promise<void> {
  const source = {
    kind: mention.kind,
    source_document_id: mention.document_id,
    source_block_id: mention.block_id,
    source_version: mention.version,
  };
  if (!isUnchanged<ConceptCandidateRow>(candidate, source)) await updateCandidate(tx, candidate, source);
}

function rowOf(scope: Extraction, fingerprint: string, mention: Found): ConceptCandidateRow {
  const now = Date.now();
  return {
    workspace_id: scope.workspaceId,
    id: newId("cand"),
    knowledge_base_id: scope.knowledgeBaseId,
    name: mention.name,
    kind: mention.kind,
    fingerprint,
    status: "pending",
    source_document_id: mention.document_id,
    source_block_id: mention.block_id,
    source_version: mention.version,
    concept_id: null,
    revision: 1,
    decided_by: null,
    created_at: now,
    updated_at: now,
  };
}
