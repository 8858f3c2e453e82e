import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../../bodies/body.ts";
import { readBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import type { Services } from "../../../../services.ts";
import { copyAttachments } from "../../../content/attachments/copy-attachments.ts";
import { listUnits } from "../units/unit-queries.ts";
import type { Unit } from "../units/unit-state.ts";
import { insertLines, type Line } from "./insert-lines.ts";

/** A source and one of its targets. */
interface Pair {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly targetId: string;
}

/** A line for the target and the unit that it belongs to. */
export interface Chosen {
  readonly unit: Unit;
  readonly line: Line;
}

/** The target with the lines inserted. Units get the ids of their new blocks before the views are updated. */
export async function insertChosen(app: Services, tx: Tx, pair: Pair, current: StoredBody, chosen: readonly Chosen[]) {
  const key = { workspace_id: pair.workspaceId, document_id: pair.targetId };
  const isAllThere = chosen.every(({ unit }) => unit.target_present === 1);
  const units = isAllThere ? chosen.map(({ unit }) => unit) : await listUnits(tx, key);
  const links = new Map(
    units.flatMap((unit) => (unit.target_present === 1 ? [[unit.source_block_id, defined(unit.target_block_id)]] : [])),
  );
  const source = await readBody(tx, { workspaceId: pair.workspaceId, documentId: pair.sourceId });
  const { blocks, made, unplaced } = insertLines(
    current,
    source,
    chosen.map(({ line }) => line),
    links,
  );
  for (const unit of units) {
    const target = made.get(unit.source_block_id);
    if (target === undefined) continue;
    await tx
      .updateTable("translation_units")
      .set({ target_block_id: target })
      .where("workspace_id", "=", key.workspace_id)
      .where("document_id", "=", key.document_id)
      .where("id", "=", unit.id)
      .execute();
  }
  const isPlaced = ({ line }: Chosen) => !unplaced.has(line.sourceBlockId);
  return {
    blocks: await withOwnAttachments(app, tx, pair, current, blocks),
    units: chosen.filter(isPlaced).map(({ unit }) => unit),
    unplaced: chosen.filter((one) => !isPlaced(one)).map(({ unit }) => unit),
  };
}

/** Attachments in a line or a copied part belong to the source; the target gets copies. */
async function withOwnAttachments(
  app: Services,
  tx: Tx,
  { workspaceId, sourceId, targetId }: Pair,
  current: StoredBody,
  blocks: readonly Node[],
): Promise<readonly Node[]> {
  const old = new Set(current.blocks);
  const fresh = blocks.filter((block) => !old.has(block));
  const owner = { workspaceId, from: sourceId, to: targetId };
  const { blocks: own } = await copyAttachments(app, tx, { ...owner, blocks: fresh });
  if (own === fresh) return blocks;
  const renamed = new Map(fresh.map((block, index) => [block, defined(own[index])]));
  return blocks.map((block) => renamed.get(block) ?? block);
}
