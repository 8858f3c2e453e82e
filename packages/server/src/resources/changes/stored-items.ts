import type { BlockChange, ChangeType } from "@svc/document/diff";
import type { ManifestEntry } from "./block-manifest.ts";

/** A change as it is kept: beside what the diff says, the block's type and hash after the write. */
export interface StoredItem extends BlockChange {
  /** null when removed */
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

/** `blockAt` tells what stands at a new position. */
export const packItems = (
  changes: readonly BlockChange[],
  blockAt: (position: number) => Pick<ManifestEntry, "type" | "hash">,
): string =>
  JSON.stringify(
    changes.map((change): Packed => {
      const block = change.new_position === null ? undefined : blockAt(change.new_position);
      const { block_id, change_type, old_position, new_position, excerpt } = change;
      return [block_id, change_type, old_position, new_position, excerpt, block?.type ?? null, block?.hash ?? null];
    }),
  );

export const unpackItems = (text: string): StoredItem[] =>
  (JSON.parse(text) as Packed[]).map(([block_id, change_type, old_position, new_position, excerpt, type, hash]) => ({
    block_id,
    change_type,
    old_position,
    new_position,
    excerpt,
    type,
    hash,
  }));
