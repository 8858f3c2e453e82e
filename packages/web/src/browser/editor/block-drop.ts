import type { Node as EditorNode, Slice } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { idOfNode } from "./block-json.ts";

/** Pixels from the edge of a top-level block within which what is dropped goes before or behind all of it. */
const EDGE = 8;

/** The place between two top-level blocks at this height; undefined within a block. */
function edgeAt(view: EditorView, y: number): number | undefined {
  let above = Number.NEGATIVE_INFINITY;
  let found: number | undefined;
  let end = 0;
  view.state.doc.forEach((node, position) => {
    const dom = view.nodeDOM(position);
    if (!(dom instanceof HTMLElement) || dom.offsetHeight === 0) return;
    const { top, bottom } = dom.getBoundingClientRect();
    if (y >= above - EDGE && y <= top + EDGE) found ??= position;
    above = bottom;
    end = position + node.nodeSize;
  });
  return found ?? (y >= above - EDGE ? end : undefined);
}

/** The top-level block that is dragged, as it stands by now. */
function draggedBlock(doc: EditorNode, slice: Slice): { readonly node: EditorNode; readonly from: number } | undefined {
  const { firstChild, childCount } = slice.content;
  const wanted = firstChild && childCount === 1 && slice.openStart === 0 ? idOfNode(firstChild) : undefined;
  let found: { node: EditorNode; from: number } | undefined;
  doc.forEach((node, from) => {
    if (wanted !== undefined && idOfNode(node) === wanted) found = { node, from };
  });
  return found;
}

/**
 * A block that is dragged to the edge of another goes before or behind all of it. Without this it could not stand above
 * a list or a callout that begins the page: at its top edge stands its first line already.
 */
export function dropAtEdge(view: EditorView, event: DragEvent, slice: Slice, isMoved: boolean): boolean {
  const dragged = isMoved ? draggedBlock(view.state.doc, slice) : undefined;
  const place = dragged && edgeAt(view, event.clientY);
  if (!dragged || place === undefined) return false;
  const { node, from } = dragged;
  const to = from + node.nodeSize;
  view.focus();
  if (place >= from && place <= to) return true;
  const { tr } = view.state;
  tr.delete(from, to);
  const at = tr.mapping.map(place);
  tr.insert(at, node);
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)).setMeta("uiEvent", "drop"));
  return true;
}
