import type { Node } from "@svc/document/types";
import { UnreadableBlock } from "@svc/live/element";
import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import type { Transform } from "@tiptap/pm/transform";
import { element } from "../../islands/common/element.ts";
import type { Binding } from "../binding/binding.ts";
import { idOfNode } from "../block-json.ts";
import { Heights } from "./heights.ts";
import { covers, join, lengthOf, MAX_SHOWN, type Run, runAround } from "./run.ts";
import type { Heading, WholeDocument } from "./whole-document.ts";

/** Screens of text kept ready above and below the visible part. */
const SCREENS_KEPT = 1.5;
const SCREENS_SHOWN = 3;
/**
 * Min blocks between the caret and the end of the part before a key is handled, so that blocks it joins or moves to are
 * there.
 */
const ROOM = 20;

/** A block and its position on the screen. */
export interface ScrollAnchor {
  readonly id: string;
  readonly top: number;
}

/**
 * The part of a long document in the editor: it follows scrolling and the caret. Empty space above and below
 * has the height of the other blocks, so that the scroll bar is right.
 */
export class PartView implements WholeDocument {
  readonly #editor: Editor;
  readonly #root: HTMLElement;
  readonly #above = element("div", { class: "editor-space", "aria-hidden": "true" });
  readonly #below = element("div", { class: "editor-space", "aria-hidden": "true" });
  readonly #heights = new Heights();
  #binding: Binding | undefined;
  #isPressed = false;
  #isDue = false;
  /** The order for which the space above and below was computed. */
  #placedOrder: readonly string[] = [];
  #isMoving = false;
  /** Called when other blocks are shown. */
  onMove: () => void = () => undefined;

  constructor(editor: Editor, root: HTMLElement) {
    this.#editor = editor;
    this.#root = root;
    const soon = () => this.#soon();
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon, { passive: true });
    editor.on("selectionUpdate", soon);
    root.addEventListener("pointerdown", () => {
      this.#isPressed = true;
    });
    for (const end of ["pointerup", "pointercancel", "dragend"])
      addEventListener(end, () => {
        this.#isPressed = false;
      });
  }

  /** Replaces the page's reading view at the same scroll position. */
  open(surface: HTMLElement, anchor: ScrollAnchor | undefined): void {
    this.#root.replaceChildren(this.#above, surface, this.#below);
    this.#place();
    if (anchor) this.#keep(anchor);
  }

  follow(binding: Binding): void {
    this.#binding = binding;
    binding.onMove = () => {
      if (!this.#isMoving) this.#soon();
    };
    binding.onReveal = (id) => this.reveal(id);
    this.#place();
  }

  get order(): readonly string[] {
    return this.#binding?.live.order ?? [];
  }

  get isPart(): boolean {
    return this.#binding !== undefined && lengthOf(this.#binding.run) < this.order.length;
  }

  get caretBlock(): string | undefined {
    const { doc, selection } = this.#editor.state;
    const block = doc.maybeChild(Math.min(selection.$head.index(0), doc.childCount - 1));
    return this.#binding?.parked?.head.id ?? (block ? idOfNode(block) : undefined);
  }

  has(id: string): boolean {
    return this.#binding?.live.has(id) === true;
  }

  isShown(id: string): boolean {
    return this.#binding?.isShown(id) === true;
  }

  hiddenBlock(id: string): Node | undefined {
    if (this.isShown(id)) return undefined;
    try {
      return this.#binding?.live.node(id);
    } catch (error) {
      if (error instanceof UnreadableBlock) return undefined;
      throw error;
    }
  }

  *hiddenBlocks(): Generator<Node> {
    for (const id of this.order) {
      const block = this.hiddenBlock(id);
      if (block) yield block;
    }
  }

  hiddenHeadings(before?: string): { readonly id: string; readonly block: Node }[] {
    const headings: { id: string; block: Node }[] = [];
    for (const id of this.order) {
      if (id === before) break;
      const block = this.#binding?.live.typeOf(id) === "heading" ? this.hiddenBlock(id) : undefined;
      if (block) headings.push({ id, block });
    }
    return headings;
  }

  headingsAbove(id: string | undefined): readonly Heading[] {
    return this.hiddenHeadings(id).map((heading) => ({ id: heading.id, level: Number(heading.block.attrs?.level) }));
  }

  reveal(id: string): void {
    const place = this.order.indexOf(id);
    if (place < 0) return;
    if (!this.isShown(id)) this.#move(this.#around(place));
    this.#keep({ id, top: innerHeight / 3 });
  }

  showAll(): void {
    const anchor = this.#anchorAt(innerHeight / 2);
    this.#move({ from: 0, to: this.order.length }, anchor);
  }

  returnToCaret(): boolean {
    const parked = this.#binding?.parked;
    if (!parked) return true;
    const [anchor, head] = [this.order.indexOf(parked.anchor.id), this.order.indexOf(parked.head.id)];
    if (head < 0 || anchor < 0) {
      this.#binding?.forgetParked();
      return false;
    }
    this.#move(join(this.#around(head), { from: anchor, to: anchor + 1 }));
    this.#editor.view.dispatch(this.#editor.state.tr.scrollIntoView());
    return true;
  }

  changeHidden(isWanted: (block: Node) => boolean, change: (tr: Transform) => void): void {
    const ids = this.order.filter((id) => {
      const block = this.hiddenBlock(id);
      return block !== undefined && isWanted(block);
    });
    this.#binding?.changeHidden(ids, change);
  }

  insertBehind(id: string, block: EditorNode): void {
    this.#binding?.insertHidden(id, block);
  }

  /** Moves the part around the caret and the selected blocks before a key is handled at its end. */
  makeRoom(): void {
    if (!this.isPart || !this.#binding || this.#editor.view.composing) return;
    const { doc, selection } = this.#editor.state;
    const { run } = this.#binding;
    const index = Math.min(selection.$head.index(0), doc.childCount - 1);
    const isAtStart = index < ROOM && run.from > 0;
    const isAtEnd = doc.childCount - index <= ROOM && run.to < this.order.length;
    const id = this.caretBlock;
    const place = id === undefined ? -1 : this.order.indexOf(id);
    if (place < 0 || (!isAtStart && !isAtEnd)) return;
    const top = this.#topOf(id);
    this.#move(
      join(this.#around(place), this.#selected()),
      id !== undefined && top !== undefined ? { id, top } : undefined,
    );
  }

  /** Called when the person puts the caret somewhere else. */
  forgetCaret(): void {
    this.#binding?.forgetParked();
  }

  /** Extends a selection that starts outside the shown part: shows both ends in one part. */
  extendToCaret(): void {
    const parked = this.#binding?.parked;
    const place = parked ? this.order.indexOf(parked.anchor.id) : -1;
    if (!this.#binding || place < 0) return;
    this.#move(join(this.#binding.run, { from: place, to: place + 1 }), this.#anchorAt(innerHeight / 2));
  }

  #around(place: number): Run {
    const { order } = this;
    return runAround(order.length, place, {
      pixels: SCREENS_SHOWN * innerHeight,
      heightAt: (at) => this.#heights.of(order[at] ?? ""),
    });
  }

  #selected(): Run {
    const { doc, selection } = this.#editor.state;
    const last = Math.max(0, doc.childCount - 1);
    const from = this.#binding?.run.from ?? 0;
    return {
      from: from + Math.min(selection.$from.index(0), last),
      to: from + Math.min(selection.$to.index(0), last) + 1,
    };
  }

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#check();
    });
  }

  /** Moves the part when its end comes near the visible area, and shortens it again after all of it was shown. */
  #check(): void {
    const { view } = this.#editor;
    if (!this.#binding || view.isDestroyed || view.composing || view.dragging) return;
    if (this.order.length <= MAX_SHOWN && !this.isPart) return;
    if (this.#placedOrder !== this.order) this.#place();
    const { run } = this.#binding;
    const { top, bottom } = view.dom.getBoundingClientRect();
    const margin = SCREENS_KEPT * innerHeight;
    const isNear = (run.from > 0 && top > -margin) || (run.to < this.order.length && bottom < innerHeight + margin);
    const isTooLong = lengthOf(run) > MAX_SHOWN && lengthOf(this.#selected()) < MAX_SHOWN / 2;
    if (!isNear && !isTooLong) return;
    const anchor = this.#anchorAt(innerHeight / 2);
    const place = anchor ? this.order.indexOf(anchor.id) : -1;
    if (!anchor || place < 0) return;
    const around = this.#around(place);
    // Keeps the text that is being selected with the mouse.
    const wanted = this.#isPressed ? join(around, this.#selected()) : around;
    const isLongSelection = lengthOf(this.#selected()) >= MAX_SHOWN / 2;
    const next = isLongSelection ? join(wanted, run) : wanted;
    if (next.from !== run.from || next.to !== run.to) this.#move(next, anchor);
  }

  #move(run: Run, anchor?: ScrollAnchor): void {
    if (!this.#binding) return;
    if (!covers(this.#binding.run, run) || !covers(run, this.#binding.run)) {
      this.#isMoving = true;
      this.#heights.measure(this.#editor.view);
      this.#binding.showRun(run);
      this.#isMoving = false;
      this.onMove();
    }
    this.#place();
    if (anchor) this.#keep(anchor);
  }

  /** Sets the space for hidden blocks. */
  #place(): void {
    if (!this.#binding) return;
    const { from, to } = this.#binding.run;
    const { order } = this;
    this.#placedOrder = order;
    if (this.isPart) this.#heights.learn(this.#editor.view);
    const giveSpace = (space: HTMLElement, ids: readonly string[]) =>
      space.style.setProperty("height", `${ids.reduce((sum, id) => sum + this.#heights.of(id), 0)}px`);
    giveSpace(this.#above, order.slice(0, from));
    giveSpace(this.#below, order.slice(to));
    this.#countHeadings();
    if (this.isPart) this.#root.dataset.part = `${from}-${to}/${order.length}`;
    else delete this.#root.dataset.part;
  }

  /** Continues the numbering of headings above. */
  #countHeadings(): void {
    const { dom, state } = this.#editor.view;
    if (!dom.classList.contains("numbered")) return;
    const counts = [0, 0, 0];
    const first = state.doc.firstChild;
    for (const { level } of first && this.isPart ? this.headingsAbove(idOfNode(first)) : [])
      for (const at of [0, 1, 2])
        counts[at] = at === level - 1 ? (counts[at] ?? 0) + 1 : at < level ? (counts[at] ?? 0) : 0;
    dom.style.setProperty("counter-reset", counts.map((count, at) => `h${at + 1} ${count}`).join(" "));
  }

  /** Scrolls a block to its previous position on the screen. */
  #keep({ id, top }: ScrollAnchor): void {
    const now = this.#topOf(id);
    if (now !== undefined && Math.abs(now - top) > 1) scrollBy(0, now - top);
  }

  #topOf(id: string | undefined): number | undefined {
    let found: number | undefined;
    this.#editor.state.doc.forEach((node, position) => {
      if (idOfNode(node) !== id || id === undefined) return;
      const dom = this.#editor.view.nodeDOM(position);
      if (dom instanceof HTMLElement) found = dom.getBoundingClientRect().top;
    });
    return found;
  }

  /** The block at a vertical position in the window: a shown block, or an estimated hidden one. */
  #anchorAt(y: number): ScrollAnchor | undefined {
    const { view } = this.#editor;
    const { top, bottom } = view.dom.getBoundingClientRect();
    if (y >= top && y <= bottom) return this.#heights.blockAt(view, y);
    const { order } = this;
    const { from, to } = this.#binding?.run ?? { from: 0, to: 0 };
    let [at, edge] = y < top ? [0, this.#above.getBoundingClientRect().top] : [to, bottom];
    const end = y < top ? from - 1 : order.length - 1;
    for (; at < end; at++) {
      const height = this.#heights.of(order[at] ?? "");
      if (edge + height > y) break;
      edge += height;
    }
    const id = order[Math.max(0, at)];
    return id === undefined ? undefined : { id, top: y };
  }
}
