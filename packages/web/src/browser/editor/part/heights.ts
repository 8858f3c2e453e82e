import type { EditorView } from "@tiptap/pm/view";
import { idOfNode } from "../block-json.ts";

/** The assumed height in pixels before any block has been measured. */
const GUESS = 48;

interface Drawn {
  readonly id: string;
  readonly top: number;
}

/** Heights of blocks: the last measured height, or the average for blocks that were never shown. */
export class Heights {
  readonly #known = new Map<string, number>();
  #sum = 0;

  of(id: string): number {
    return this.#known.get(id) ?? this.#average;
  }

  get #average(): number {
    return this.#known.size > 0 ? this.#sum / this.#known.size : GUESS;
  }

  /** Measures the blocks shown now. */
  measure(view: EditorView): void {
    const { drawn, bottom } = this.#read(view);
    drawn.forEach(({ id, top }, index) => {
      const height = (drawn[index + 1]?.top ?? bottom) - top;
      if (height <= 0) return;
      this.#sum += height - (this.#known.get(id) ?? 0);
      this.#known.set(id, height);
    });
  }

  /** Measures the blocks shown now if none has been measured yet. */
  learn(view: EditorView): void {
    if (this.#known.size === 0) this.measure(view);
  }

  /** The block at a vertical position in the window. */
  blockAt(view: EditorView, y: number): Drawn | undefined {
    const { drawn } = this.#read(view);
    return drawn.findLast(({ top }) => top <= y) ?? drawn[0];
  }

  /** Reads the positions of drawn blocks; folded blocks have none. */
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
