import type { Editor } from "@tiptap/core";
import { openArea } from "../stage.ts";

interface Target {
  readonly type: string;
  readonly position: number;
}

/** Pixels between the tools and their block. */
const GAP = 4;

/** On narrower windows the tools lie at the lower edge. */
export const isWide = matchMedia("(min-width: 70.001rem)");

/** Blocks whose tools stand on their upper edge, at its end. */
const ON_EDGE: readonly string[] = ["codeBlock", "callout", "orderedList"];
/** Blocks whose tools stand above them; those of the others are below. */
const ABOVE: readonly string[] = ["image"];

/** Keeps the tools at their block while it moves. Without a block they are for the link at the caret. */
export function placeAtBlock(bar: HTMLElement, editor: Editor, targetOf: () => Target | undefined): void {
  let isDue = false;
  const place = () => {
    isDue = false;
    if (bar.hidden || editor.isDestroyed) return;
    if (!isWide.matches) {
      bar.removeAttribute("style");
      return;
    }
    const { left, top } = placeOf(bar, editor, targetOf());
    bar.style.setProperty("left", `${Math.round(left)}px`);
    bar.style.setProperty("top", `${Math.round(top)}px`);
  };
  const soon = () => {
    if (!isDue) requestAnimationFrame(place);
    isDue = true;
  };
  editor.on("transaction", soon);
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
}

function placeOf(bar: HTMLElement, editor: Editor, target: Target | undefined): { left: number; top: number } {
  const box = boxOf(editor, target);
  const { width, height } = bar.getBoundingClientRect();
  const area = openArea();
  const type = target?.type ?? "";
  const isOnEdge = ON_EDGE.includes(type);
  const left = isOnEdge ? box.right - width - GAP : box.left;
  const above = isOnEdge ? box.top - height / 2 : box.top - height - GAP;
  const top = isOnEdge || ABOVE.includes(type) ? Math.max(above, area.top + GAP) : box.bottom + GAP;
  return {
    left: Math.max(8, Math.min(left, innerWidth - width - 8)),
    // With its block the bar leaves the window.
    top: box.bottom < area.top ? -height - 8 : Math.min(top, area.bottom - height - GAP),
  };
}

function boxOf({ view, state }: Editor, target: Target | undefined): DOMRect {
  const dom = target && view.nodeDOM(target.position);
  if (dom instanceof Element) return dom.getBoundingClientRect();
  const { left, right, top, bottom } = view.coordsAtPos(state.selection.head);
  return new DOMRect(left, top, right - left, bottom - top);
}
