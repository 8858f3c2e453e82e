import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import { UnreadableBlock } from "@svc/live/element";
import type { LiveState } from "@svc/live/live-state";
import { shownBy } from "../content/attachments/references.ts";

/** The notice to the editors after content was removed. */
export const PUT_BACK = "A file of another document cannot be shown here, so it was taken out again.";

/** A block without the nodes that show other documents' files; undefined if it is itself one. */
function withoutFiles(node: Node, foreign: ReadonlySet<string>): Node | undefined {
  const shown = shownBy(node);
  if (shown !== undefined && foreign.has(shown)) return undefined;
  if (!node.content) return node;
  const content = node.content.flatMap((child) => withoutFiles(child, foreign) ?? []);
  return content.length === node.content.length && content.every((child, i) => child === defined(node.content)[i])
    ? node
    : { ...node, content };
}

/** Removes files of other documents from a live state. A changed block reverts to its previous content. */
export function putBack(live: LiveState, base: readonly Node[], foreign: ReadonlySet<string>): void {
  const before = new Map(base.map((block) => [block.attrs?.id, block]));
  for (const id of live.order) {
    const node = readable(live, id);
    const left = node && withoutFiles(node, foreign);
    if (!node || left === node) continue;
    const old = before.get(id);
    const restored = left ?? (old && withoutFiles(old, foreign) === old && !sameJson(old, node) ? old : undefined);
    if (restored) live.patch(restored);
    else live.remove(id);
  }
}

function readable(live: LiveState, id: string): Node | undefined {
  try {
    return live.node(id);
  } catch (error) {
    // The fold repairs it.
    if (error instanceof UnreadableBlock) return undefined;
    throw error;
  }
}
