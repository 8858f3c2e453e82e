import { type BlockChange, type BlockPlaces, type ChangeType, excerptOf } from "@svc/document/diff";
import { mapInTurns } from "../../../db/transaction/yield-to-writers.ts";
import type { BodyDelta } from "../../../services/body-views.ts";
import { hashOf } from "./block-manifest.ts";

/** A stored change: the diff's fields plus the block's type and hash after the write. */
export interface StoredItem extends BlockChange {
  /** null if removed */
  readonly type: string | null;
  readonly hash: string | null;
}

type Packed = [
  id: string,
  change: ChangeType,
  from: number | null,
  to: number | null,
  text: string,
  type: string | null,
  hash: string | null,
];

type Delta = Pick<BodyDelta, "changes" | "before" | "after">;

const packItem =
  ({ before, after }: Delta) =>
  (change: BlockPlaces): Packed => {
    const { block_id, change_type, old_position, new_position } = change;
    const block = new_position === null ? undefined : after[new_position];
    const excerpt = excerptOf(change, before, after);
    const hash = block ? hashOf(block) : null;
    return [block_id, change_type, old_position, new_position, excerpt, block?.type ?? null, hash];
  };

export const packItems = (delta: Delta): string => JSON.stringify(delta.changes.map(packItem(delta)));

/** The same for a long list, beside other requests. */
export const packManyItems = async (delta: Delta): Promise<string> =>
  JSON.stringify(await mapInTurns(delta.changes, packItem(delta)));

export const unpackItems = (text: string): StoredItem[] =>
  JSON.parse(text).map(([block_id, change_type, old_position, new_position, excerpt, type, hash]: Packed) => ({
    block_id,
    change_type,
    old_position,
    new_position,
    excerpt,
    type,
    hash,
  }));
