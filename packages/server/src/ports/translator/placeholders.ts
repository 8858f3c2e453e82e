import type { Mark, Node } from "@svc/document/types";

/**
 * The inline content of a block as text for a translator. Marks become pairs of markers around their words,
 * `⟦1⟧bold⟦/1⟧`; content that must not be translated (inline code, images, formulas, breaks, a literal bracket) becomes
 * one marker, `⟦2⟧`. Numbers count from 1 in order of appearance.
 */
export interface MarkedText {
  readonly text: string;
  readonly plan: PlaceholderPlan;
}

/** The meaning of the markers in one text. A marker's parent is the pair that directly encloses it, 0 for none. */
export interface PlaceholderPlan {
  readonly pairs: ReadonlyMap<number, Pair>;
  readonly atoms: ReadonlyMap<number, Atom>;
}

interface Pair {
  readonly parent: number;
  /** All marks of the text directly inside, in their stored order. */
  readonly marks: readonly Mark[];
}

interface Atom {
  readonly parent: number;
  readonly node: Node;
}

/** A part of the line: text to translate, or a node that stays as it is. */
interface Item {
  readonly node: Node;
  readonly isAtom: boolean;
}

/** Restoring the text unchanged gives the same nodes, provided that neighbouring text nodes differ in their marks. */
export function toMarkedText(content: readonly Node[]): MarkedText {
  const items = content.flatMap(itemsOf);
  const writer = new MarkerWriter(reachOfMarks(items));
  for (const [index, item] of items.entries()) writer.add(item, index);
  return writer.finish();
}

function itemsOf(node: Node): Item[] {
  const isAtom =
    node.type !== "text" || node.attrs !== undefined || (node.marks ?? []).some(({ type }) => type === "code");
  if (isAtom) return [{ node, isAtom }];
  const pieces = (node.text ?? "").split(/([⟦⟧])/).filter((text) => text !== "");
  return pieces.map((text) => ({ node: { ...node, text }, isAtom: text === "⟦" || text === "⟧" }));
}

const keyOf = (mark: Mark): string => JSON.stringify([mark.type, mark.attrs ?? null]);

/** For each item, the index of the last item up to which each of its marks continues without a gap. */
function reachOfMarks(items: readonly Item[]): ReadonlyMap<string, number>[] {
  const reach: ReadonlyMap<string, number>[] = [];
  let next: ReadonlyMap<string, number> = new Map();
  for (let index = items.length - 1; index >= 0; index--) {
    const here = new Map<string, number>();
    for (const mark of items[index]?.node.marks ?? []) here.set(keyOf(mark), next.get(keyOf(mark)) ?? index);
    reach[index] = here;
    next = here;
  }
  return reach;
}

interface OpenPair {
  readonly number: number;
  readonly key: string;
  marks: readonly Mark[] | undefined;
}

/** Walks the items and opens and closes pairs. The marks that continue longest are opened first, so that pairs nest. */
class MarkerWriter {
  readonly #reach: readonly ReadonlyMap<string, number>[];
  readonly #pairs = new Map<number, Pair>();
  readonly #atoms = new Map<number, Atom>();
  readonly #open: OpenPair[] = [];
  readonly #text: string[] = [];
  #count = 0;

  constructor(reach: readonly ReadonlyMap<string, number>[]) {
    this.#reach = reach;
  }

  add({ node, isAtom }: Item, index: number): void {
    const reach = this.#reach[index] ?? new Map<string, number>();
    // An atom stores its marks itself; it joins a pair only to stay inside a longer one.
    const wanted = [...reach].filter(([, last]) => !isAtom || last > index).sort((a, b) => b[1] - a[1]);
    this.#closeAllBut(reach);
    if (!isAtom) this.#closeOtherOrder(node.marks ?? []);
    const open = new Set(this.#open.map(({ key }) => key));
    const marks = new Map((node.marks ?? []).map((mark) => [keyOf(mark), mark]));
    for (const [key] of wanted) if (!open.has(key)) this.#openPair(key, marks.get(key));
    if (isAtom) this.#addAtom(node);
    else this.#addText(node);
  }

  finish(): MarkedText {
    while (this.#open.length > 0) this.#closePair();
    return { text: this.#text.join(""), plan: { pairs: this.#pairs, atoms: this.#atoms } };
  }

  #closeAllBut(reach: ReadonlyMap<string, number>): void {
    const keep = this.#open.findIndex((pair) => !reach.has(pair.key));
    while (keep !== -1 && this.#open.length > keep) this.#closePair();
  }

  /** The same marks in another order are a different text node, so they need a separate pair. */
  #closeOtherOrder(marks: readonly Mark[]): void {
    const top = this.#open.at(-1);
    const isFull = new Set(marks.map(keyOf)).size === this.#open.length;
    if (top?.marks && isFull && JSON.stringify(top.marks) !== JSON.stringify(marks)) this.#closePair();
  }

  /** Until a pair directly encloses text, its marks are its parent's and its own. */
  #openPair(key: string, mark: Mark | undefined): void {
    const number = ++this.#count;
    const parent = this.#open.at(-1)?.number ?? 0;
    const own = mark === undefined ? [] : [mark];
    this.#open.push({ number, key, marks: undefined });
    this.#pairs.set(number, { parent, marks: [...(this.#pairs.get(parent)?.marks ?? []), ...own] });
    this.#text.push(`⟦${number}⟧`);
  }

  #closePair(): void {
    const closed = this.#open.pop();
    if (closed !== undefined) this.#text.push(`⟦/${closed.number}⟧`);
  }

  #addAtom(node: Node): void {
    const number = ++this.#count;
    this.#atoms.set(number, { parent: this.#open.at(-1)?.number ?? 0, node });
    this.#text.push(`⟦${number}⟧`);
  }

  #addText(node: Node): void {
    const top = this.#open.at(-1);
    if (top !== undefined && top.marks === undefined) {
      top.marks = node.marks ?? [];
      const parent = this.#pairs.get(top.number)?.parent ?? 0;
      this.#pairs.set(top.number, { parent, marks: top.marks });
    }
    this.#text.push(node.text ?? "");
  }
}
