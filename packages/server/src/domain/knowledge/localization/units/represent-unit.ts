import { plainText } from "@svc/document/read/text";
import { readBody } from "../../../../bodies/load-body.ts";
import type { Reader } from "../../../../db/database.ts";
import type { DocumentRow } from "../../../../db/schema/tables/documents.ts";
import { listSourceBlocks, listTextBlocks, type TextBlock } from "../blocks/text-blocks.ts";
import { lineText, readCandidate } from "../candidate.ts";
import { freshnessOf, originOf, type Unit } from "./unit-state.ts";

/** A source and one target, with their text blocks in order and by id. */
export interface Sides {
  readonly source: DocumentRow;
  readonly target: DocumentRow;
  readonly targetVersion: string;
  /** The source's translatable blocks. */
  readonly sourceBlocks: readonly TextBlock[];
  readonly sourceById: ReadonlyMap<string, TextBlock>;
  readonly targetById: ReadonlyMap<string, TextBlock>;
}

const byId = (blocks: readonly TextBlock[]) => new Map(blocks.map((block) => [block.id, block]));

export async function loadSides(db: Reader, source: DocumentRow, target: DocumentRow): Promise<Sides> {
  const workspaceId = source.workspace_id;
  const from = await readBody(db, { workspaceId, documentId: source.id });
  const to = await readBody(db, { workspaceId, documentId: target.id });
  const sourceBlocks = listSourceBlocks(from);
  return {
    source,
    target,
    targetVersion: to.version,
    sourceBlocks,
    sourceById: byId(sourceBlocks),
    targetById: byId(listTextBlocks(to.blocks)),
  };
}

export function unitOf(unit: Unit, sides: Sides) {
  const candidate = readCandidate(unit);
  const source = sides.sourceById.get(unit.source_block_id);
  const target = unit.target_present === 1 ? sides.targetById.get(unit.target_block_id ?? "") : undefined;
  return {
    id: unit.id,
    locale: sides.target.locale,
    source_document_id: sides.source.id,
    source_block_id: unit.source_block_id,
    source_text: source ? plainText(source.node) : null,
    source_hash: unit.source_hash,
    target_document_id: sides.target.id,
    target_block_id: target?.id ?? null,
    target_text: target ? plainText(target.node) : null,
    target_version: sides.targetVersion,
    freshness: freshnessOf(unit),
    review_status: unit.review_status,
    origin: originOf(unit),
    candidate: candidate && {
      text: lineText(candidate.nodes),
      job_id: candidate.job_id,
      created_at: candidate.created_at,
    },
    updated_at: unit.updated_at,
  };
}
