import type { EditorView } from "@tiptap/pm/view";
import { idOfNode } from "../block-json.ts";

/** Pixels of a block of which nothing is known yet. */
const GUESS = 48;

interface Drawn {
  readonly id: string;
  readonly top: number;
}

/** How high blocks are: as they were when they were shown, and about so where they never were. */
export class Heights {
  readonly #known = new Map<string, number>();
  #sum = 0;

  of(id: string): number {
    return this.#known.get(id) ?? this.#average;
  }

  get #average(): number {
    return this.#known.size > 0 ? this.#sum / this.#known.size : GUESS;
  }

  /** Measures what is shown now. */
  measure(view: EditorView): void {
    const { drawn, bottom } = this.#read(view);
    drawn.forEach(({ id, top }, index) => {
      const height = (drawn[index + 1]?.top ?? bottom) - top;
      if (height <= 0) return;
      this.#sum += height - (this.#known.get(id) ?? 0);
      this.#known.set(id, height);
    });
  }

  /** The same, if nothing is known yet. */
  learn(view: EditorView): void {
    if (this.#known.size === 0) this.measure(view);
  }

  /** The block at a height of the screen. */
  blockAt(view: EditorView, y: number): Drawn | undefined {
    const { drawn } = this.#read(view);
    return drawn.findLast(({ top }) => top <= y) ?? drawn[0];
  }

  /** Blocks that are folded away have no place. */
  #read(view: EditorView): { readonly drawn: readonly Drawn[]; readonly bottom: number } {
    const drawn: Drawn[] = [];
    view.state.doc.forEach((node, position) => {
      const dom = view.nodeDOM(position);
      const id = idOfNode(node);
      const box = dom instanceof HTMLElement ? dom.getBoundingClientRect() : undefined;
      if (id !== undefined && box && box.height > 0) drawn.push({ id, top: box.top });
    });
    return { drawn, bottom: view.dom.getBoundingClientRect().bottom };
  }
}
