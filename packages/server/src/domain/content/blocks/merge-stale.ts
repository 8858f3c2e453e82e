import { sameJson } from "@svc/document/canonical";
import { serialiseBlock } from "@svc/document/markdown/serialise";
import { merge3 } from "@svc/document/merge3";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { Type } from "typebox";
import type { StoredBody } from "../../../bodies/body.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { apiError } from "../../../errors.ts";
import type { Expected } from "../../../http/preconditions.ts";
import { oneOf } from "../../../http/schemas.ts";
import type { Services } from "../../../services.ts";
import { loadBase } from "../versions/base-body.ts";

/** Query parameters of a write that may be merged with changes made since its `base`. */
export const onConflict = (base: string) =>
  Type.Optional(
    oneOf(
      ["refuse", "merge"],
      `The behaviour when the body has changed since ${base}: refuse (default), or merge by blocks as long as that version is kept; a block changed on both sides is still 409, with both in \`details.conflicts\`.`,
    ),
  );

interface Stale {
  readonly app: Services;
  readonly tx: Tx;
  readonly key: DocumentKey;
  /** The version that the edit is based on. */
  readonly base: Expected;
}

/** Applies an edit to the body if its base is current, otherwise to the snapshot of the base, and merges. */
export const editOrMerge =
  ({ app, tx, key, base }: Stale, edit: (of: StoredBody) => readonly Node[] | Promise<readonly Node[]>) =>
  async (current: StoredBody): Promise<readonly Node[]> => {
    if (base === "*" || base === current.version) return edit(current);
    const seen = await loadBase(tx, key, base, app.config.versionRetention);
    return mergeStale(seen, current, await edit(seen));
  };

/** A block that both sides changed; null where it was deleted. */
interface Conflict {
  readonly block_id: string;
  readonly base: string | null;
  readonly theirs: string | null;
  readonly mine: string | null;
}

/**
 * Applies an edit of an older version to the current one. Blocks that only one side changed are taken from that side.
 * If both changed the same block, nothing is merged and the error contains both versions.
 */
function mergeStale(base: StoredBody, current: StoredBody, mine: readonly Node[]): readonly Node[] {
  const conflicts: Conflict[] = [];
  const add = (block_id: string, sides: Record<"base" | "theirs" | "mine", Node | undefined>): void => {
    const shown = Object.entries(sides).map(([side, node]) => [side, node ? serialiseBlock(node).text : null]);
    conflicts.push({ block_id, ...Object.fromEntries(shown) });
  };
  const [inBase, inMine] = [byId(base.blocks), byId(mine)];
  for (const theirs of current.blocks) {
    const before = inBase.get(idOf(theirs));
    if (before && !inMine.has(idOf(theirs)) && !sameJson(before, theirs))
      add(idOf(theirs), { base: before, theirs, mine: undefined });
  }
  const { blocks, lost } = merge3(base.blocks, current.blocks, mine, {
    mergeBlock: (before, theirs, own) => {
      add(idOf(own), { base: before, theirs, mine: own });
      return theirs;
    },
  });
  for (const id of lost) add(id, { base: inBase.get(id), theirs: undefined, mine: inMine.get(id) });
  if (conflicts.length === 0) return blocks;
  throw apiError("version_conflict", {
    current_version: current.version,
    expected_version: base.version,
    conflicts: conflicts.slice(0, 20),
    hint: "details.conflicts has both sides of each block: send a text that keeps both, on the current version.",
  });
}

const byId = (blocks: readonly Node[]): ReadonlyMap<string, Node> => new Map(blocks.map((node) => [idOf(node), node]));
