import type { Node as EditorNode } from "@tiptap/pm/model";
import { NodeSelection, type Selection, TextSelection } from "@tiptap/pm/state";
import { idOfNode } from "../block-json.ts";

/** A place by the id of its top-level block, so that it is found again when the block is shown again. */
interface Point {
  readonly id: string;
  readonly offset: number;
}

/** A selection whose blocks are not shown. */
export interface Parked {
  readonly anchor: Point;
  readonly head: Point;
  readonly isNode: boolean;
}

function pointOf(doc: EditorNode, position: number): Point | undefined {
  const $at = doc.resolve(position);
  const index = Math.min($at.index(0), doc.childCount - 1);
  const block = doc.maybeChild(index);
  const id = block && idOfNode(block);
  return id === undefined || id === null ? undefined : { id, offset: position - $at.posAtIndex(index, 0) };
}

export function park(doc: EditorNode, selection: Selection): Parked | undefined {
  const [anchor, head] = [pointOf(doc, selection.anchor), pointOf(doc, selection.head)];
  return anchor && head && { anchor, head, isNode: selection instanceof NodeSelection };
}

/** The selection in a document that shows its blocks; undefined in any other. */
export function unpark(doc: EditorNode, { anchor, head, isNode }: Parked): Selection | undefined {
  const places = new Map<string, { readonly start: number; readonly size: number }>();
  doc.forEach((node, start) => {
    const id = idOfNode(node);
    if (id === anchor.id || id === head.id) places.set(id, { start, size: node.nodeSize });
  });
  const at = ({ id, offset }: Point) => {
    const place = places.get(id);
    return place && doc.resolve(place.start + Math.min(offset, place.size));
  };
  const [$anchor, $head] = [at(anchor), at(head)];
  if (!$anchor || !$head) return undefined;
  if (isNode && $anchor.nodeAfter && NodeSelection.isSelectable($anchor.nodeAfter)) return new NodeSelection($anchor);
  return TextSelection.between($anchor, $head);
}
