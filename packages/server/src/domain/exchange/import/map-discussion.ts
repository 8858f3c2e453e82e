import type { Node } from "@svc/document/types";
import { type IdMap, mapIds, mappedBlockId } from "./mapped-ids.ts";
import type { PlannedDiscussion } from "./read-discussion.ts";

/** Returns the suggestions with new ids of blocks, documents and files. */
export function mapDiscussion({ comments, suggestions }: PlannedDiscussion, map: IdMap): PlannedDiscussion {
  const block = (id: string) => mappedBlockId(map.seed, map.documentKey, id);
  const node = (old: Node | null) => old && mapIds([old], map)[0]!;
  return {
    comments,
    suggestions: suggestions.map((suggestion) => ({
      ...suggestion,
      changes: suggestion.changes.map((change) => ({
        ...change,
        block_id: block(change.block_id),
        before: node(change.before),
        after: node(change.after),
        follows: change.follows?.map(block) ?? null,
      })),
    })),
  };
}
