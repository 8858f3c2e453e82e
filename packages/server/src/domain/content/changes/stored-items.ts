import { type BlockChange, type ChangeType, excerptOf } from "@svc/document/diff";
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

export const packItems = ({ changes, before, after }: Pick<BodyDelta, "changes" | "before" | "after">): string =>
  JSON.stringify(
    changes.map((change): Packed => {
      const { block_id, change_type, old_position, new_position } = change;
      const block = new_position === null ? undefined : after[new_position];
      const excerpt = excerptOf(change, before, after);
      const hash = block ? hashOf(block) : null;
      return [block_id, change_type, old_position, new_position, excerpt, block?.type ?? null, hash];
    }),
  );

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
