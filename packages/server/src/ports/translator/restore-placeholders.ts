import type { Mark, Node } from "@svc/document/types";
import type { PlaceholderPlan } from "./placeholders.ts";

/**
 * Why a translated text does not fit its plan: a marker is `missing`, came twice (`duplicate`), was never sent
 * (`unknown`), moved into another pair or crosses one (`nesting`), encloses nothing any more (`empty`), or a bracket
 * belongs to no marker (`malformed`).
 */
type PlaceholderFault = "missing" | "duplicate" | "unknown" | "nesting" | "empty" | "malformed";

type Restored = { readonly nodes: readonly Node[] } | { readonly error: PlaceholderFault; readonly marker?: number };

const markerShape = /⟦\s*(\/?)\s*(\d{1,9})\s*⟧/g;

/** Converts a translated text back into inline nodes. Pairs and atoms may change their order among siblings. */
export function restore(text: string, plan: PlaceholderPlan): Restored {
  const reader = new MarkerReader(plan);
  let position = 0;
  for (const match of text.matchAll(markerShape)) {
    const between = text.slice(position, match.index);
    position = match.index + match[0].length;
    const number = Number(match[2]);
    const fault = reader.addText(between) ?? (match[1] === "" ? reader.begin(number) : reader.end(number));
    if (fault !== undefined) return { error: fault, marker: number };
  }
  const fault = reader.addText(text.slice(position)) ?? reader.finish();
  return fault === undefined ? { nodes: reader.nodes } : { error: fault };
}

class MarkerReader {
  readonly nodes: Node[] = [];
  readonly #plan: PlaceholderPlan;
  readonly #seen = new Set<number>();
  /** Open pairs; `isEmpty` until they enclose something. */
  readonly #open: { readonly number: number; isEmpty: boolean }[] = [];

  constructor(plan: PlaceholderPlan) {
    this.#plan = plan;
  }

  addText(text: string): PlaceholderFault | undefined {
    if (text === "") return undefined;
    if (/[⟦⟧]/.test(text)) return "malformed";
    const marks = this.#plan.pairs.get(this.#parent())?.marks ?? [];
    this.#emit(marks.length === 0 ? { type: "text", text } : { type: "text", marks, text });
    return undefined;
  }

  begin(number: number): PlaceholderFault | undefined {
    const atom = this.#plan.atoms.get(number);
    const planned = atom ?? this.#plan.pairs.get(number);
    if (planned === undefined) return "unknown";
    if (this.#seen.has(number)) return "duplicate";
    if (planned.parent !== this.#parent()) return "nesting";
    this.#seen.add(number);
    if (atom === undefined) this.#open.push({ number, isEmpty: true });
    else this.#emit(atom.node);
    return undefined;
  }

  end(number: number): PlaceholderFault | undefined {
    if (!this.#plan.pairs.has(number)) return "unknown";
    if (this.#parent() !== number) return this.#seen.has(number) ? "nesting" : "missing";
    if (this.#open.pop()?.isEmpty) return "empty";
    this.#fillParent();
    return undefined;
  }

  finish(): PlaceholderFault | undefined {
    const isWhole = this.#open.length === 0 && this.#seen.size === this.#plan.pairs.size + this.#plan.atoms.size;
    return isWhole ? undefined : "missing";
  }

  #parent(): number {
    return this.#open.at(-1)?.number ?? 0;
  }

  #fillParent(): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.isEmpty = false;
  }

  #emit(node: Node): void {
    this.#fillParent();
    const last = this.nodes.at(-1);
    if (last !== undefined && canJoin(last, node))
      this.nodes[this.nodes.length - 1] = { ...last, text: `${last.text}${node.text}` };
    else this.nodes.push(node);
  }
}

const canJoin = (left: Node, right: Node): boolean =>
  [left, right].every(({ type, attrs }) => type === "text" && attrs === undefined) &&
  (left.marks === right.marks || marksKey(left.marks) === marksKey(right.marks));

const marksKey = (marks: readonly Mark[] = []): string => JSON.stringify(marks);
