import type { Node as EditorNode } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { AttrStep } from "@tiptap/pm/transform";

/**
 * The range that a transaction changed, as positions in the new document; `from` is after `to` if it changed nothing.
 */
export function changedRange({ doc, mapping, steps }: Transaction): { readonly from: number; readonly to: number } {
  let [from, to] = [doc.content.size + 1, 0];
  mapping.maps.forEach((map, index) => {
    const step = steps[index];
    // A changed attribute moves nothing, so its map is empty.
    if (step instanceof AttrStep) {
      const at = mapping.slice(index + 1).map(step.pos);
      [from, to] = [Math.min(from, at), Math.max(to, at + 1)];
    }
    map.forEach((_oldFrom, _oldTo, newFrom, newTo) => {
      from = Math.min(from, mapping.slice(index + 1).map(newFrom, -1));
      to = Math.max(to, mapping.slice(index + 1).map(newTo, 1));
    });
  });
  return { from, to: Math.min(to, doc.content.size) };
}

/** Every node of a type in a range. */
export function nodesIn(
  doc: EditorNode,
  type: string,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly node: EditorNode; readonly position: number }[] {
  const found: { node: EditorNode; position: number }[] = [];
  if (from > to) return found;
  doc.nodesBetween(from, to, (node, position) => {
    if (node.type.name === type) found.push({ node, position });
    return !node.isTextblock;
  });
  return found;
}
