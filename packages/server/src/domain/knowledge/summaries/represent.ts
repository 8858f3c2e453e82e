import type { Reader } from "../../../db/database.ts";
import type { SummaryRow } from "../../../db/schema/tables/summaries.ts";
import { type Digest, digestOf, type OutlineEntry } from "./deterministic.ts";
import { type FoundSummary, findSummary, isGenerating } from "./queries.ts";
import type { Target } from "./target.ts";
import { summaryId, summaryVersion } from "./versions.ts";

/** A summary as the API shows it and as a save compares it. */
export interface Summary {
  readonly id: string;
  readonly scope: SummaryRow["scope"];
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly status: "ready" | "empty" | "generating";
  readonly generator: SummaryRow["generator"];
  readonly source_version: string;
  readonly current_source_version: string;
  readonly source_block_ids: readonly string[];
  readonly source_document_ids: readonly string[];
  readonly coverage: { readonly covered_blocks: number; readonly total_blocks: number; readonly ratio: number };
  readonly freshness: "current" | "stale";
  readonly pinned: boolean;
  readonly summary_version: string;
  readonly author: { readonly id: string; readonly name: string | null } | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const coverageOf = (covered: number, total: number) => ({
  covered_blocks: covered,
  total_blocks: total,
  ratio: total === 0 ? 1 : Math.round((Math.min(covered, total) / total) * 1e4) / 1e4,
});

const idOfTarget = ({ key }: Target): string => summaryId(key.workspaceId, key.scope, key.targetId, key.blockId);

export function storedSummary(target: Target, row: FoundSummary, generating: boolean): Summary {
  return {
    id: idOfTarget(target),
    scope: row.scope,
    text: row.text,
    outline: JSON.parse(row.outline),
    status: generating ? "generating" : row.text === "" ? "empty" : "ready",
    generator: row.generator,
    source_version: row.source_version,
    current_source_version: target.sourceVersion,
    source_block_ids: JSON.parse(row.source_block_ids),
    source_document_ids: JSON.parse(row.source_document_ids),
    coverage: coverageOf(row.covered, row.total),
    freshness: row.source_version === target.sourceVersion ? "current" : "stale",
    pinned: row.pinned === 1,
    summary_version: versionOfRow(row),
    author: row.author_id === null ? null : { id: row.author_id, name: row.author_name },
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const versionOfRow = (row: SummaryRow): string =>
  summaryVersion({
    text: row.text,
    generator: row.generator,
    sourceVersion: row.source_version,
    pinned: row.pinned === 1,
    revision: row.revision,
  });

/** The summary shown while none is stored: generated on the fly from the source, so always current. */
export function freshSummary(target: Target, digest: Digest, generating: boolean): Summary {
  const { sourceVersion } = target;
  return {
    id: idOfTarget(target),
    scope: target.key.scope,
    text: digest.text,
    outline: digest.outline,
    status: generating ? "generating" : digest.text === "" ? "empty" : "ready",
    generator: "deterministic",
    source_version: sourceVersion,
    current_source_version: sourceVersion,
    source_block_ids: digest.sourceBlockIds,
    source_document_ids: digest.sourceDocumentIds,
    coverage: coverageOf(digest.covered, digest.total),
    freshness: "current",
    pinned: false,
    summary_version: summaryVersion({
      text: digest.text,
      generator: "deterministic",
      sourceVersion,
      pinned: false,
      revision: 0,
    }),
    author: null,
    created_at: target.updatedAt,
    updated_at: target.updatedAt,
  };
}

/** The stored summary, whatever its age, or else a new deterministic one. */
export async function readSummary(db: Reader, target: Target): Promise<Summary> {
  const generating = await isGenerating(db, target.key);
  const row = await findSummary(db, target.key);
  return row ? storedSummary(target, row, generating) : freshSummary(target, await digestOf(db, target), generating);
}
