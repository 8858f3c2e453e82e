import type { Node as EditorNode, Slice } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { element } from "../islands/common/element.ts";
import { idOfNode } from "./block-json.ts";
import { stage } from "./stage.ts";

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

/** A line across the column shows where a block will be dropped. */
export function showDropLine(view: EditorView, event: DragEvent): void {
  const line = lineOf(view);
  const place = view.dragging ? edgeAt(view, event.clientY) : undefined;
  line.hidden = place === undefined;
  if (place === undefined) return;
  const { left, width } = view.dom.getBoundingClientRect();
  line.style.setProperty("left", `${left}px`);
  line.style.setProperty("width", `${width}px`);
  line.style.setProperty("top", `${Math.round(heightAt(view, place)) - 1}px`);
}

export const hideDropLine = (view: EditorView): void => void lineOf(view).toggleAttribute("hidden", true);

const lines = new WeakMap<EditorView, HTMLElement>();

function lineOf(view: EditorView): HTMLElement {
  const known = lines.get(view);
  if (known) return known;
  const made = element("div", { class: "drop-line", hidden: true });
  lines.set(view, made);
  stage().append(made);
  return made;
}

/** The height of a place between two blocks. */
function heightAt(view: EditorView, place: number): number {
  const { nodeBefore, nodeAfter } = view.state.doc.resolve(place);
  const above = nodeBefore ? view.nodeDOM(place - nodeBefore.nodeSize) : null;
  const below = nodeAfter ? view.nodeDOM(place) : null;
  const bottom = above instanceof HTMLElement ? above.getBoundingClientRect().bottom : undefined;
  const top = below instanceof HTMLElement ? below.getBoundingClientRect().top : undefined;
  return ((bottom ?? top ?? 0) + (top ?? bottom ?? 0)) / 2;
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
