import { compareBlocks } from "@svc/document/compare";
import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import { headingPaths } from "@svc/document/read/outline";
import type { Node } from "@svc/document/types";
import { markdownOf } from "../../../bodies/parsing/block-markdown.ts";

export interface Change {
  readonly block_id: string;
  readonly change_type: string;
  readonly heading_path: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
}

/** Compares two states of a body. If the old state is not the one of that time, only the present texts are given. */
export function changesBetween(old: readonly Node[], blocks: readonly Node[], isWhole: boolean): Change[] {
  const [oldPaths, paths] = [old, blocks].map((list) => headingPaths(listHeadings(list), list.length));
  return compareBlocks(old, blocks).map(({ block_id, change_type, old_position, new_position }) => ({
    block_id,
    change_type,
    heading_path: (new_position === null ? oldPaths?.[defined(old_position)] : paths?.[new_position]) ?? [],
    before: old_position === null || !isWhole ? null : markdownOf(defined(old[old_position])),
    after: new_position === null ? null : markdownOf(defined(blocks[new_position])),
  }));
}
