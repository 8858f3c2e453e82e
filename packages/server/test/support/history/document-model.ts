import type { Interval, Model } from "./find-order.ts";

/** A block as clients compare it: ids that the server gave out are all `?`. */
export interface Block {
  readonly id: string;
  readonly text: string;
}

export type Edit =
  | { readonly put: readonly Block[] }
  | { readonly append: Block }
  | { readonly replace: Block }
  | { readonly remove: string };

export type Request =
  | { readonly kind: "read"; readonly known?: string | undefined }
  | { readonly kind: "write"; readonly expected?: string | undefined; readonly edits: readonly Edit[] };

export type Answer =
  | { readonly kind: "content"; readonly version: string; readonly blocks: readonly Block[] }
  | { readonly kind: "not modified" }
  | { readonly kind: "written"; readonly version: string }
  | { readonly kind: "conflict"; readonly current: string }
  | { readonly kind: "no such block" };

/** One operation as its client saw it. */
export interface Operation extends Interval {
  readonly client: string;
  readonly request: Request;
  readonly answer: Answer | undefined;
}

export interface DocumentState {
  readonly blocks: readonly Block[];
  /** Undefined until someone has seen it: a write without an answer makes a version that nobody was told. */
  readonly version: string | undefined;
}

const textOf = (blocks: readonly Block[]): string => JSON.stringify(blocks.map(({ id, text }) => [id, text]));

function applyEdit(blocks: readonly Block[], edit: Edit): readonly Block[] | undefined {
  if ("put" in edit) return edit.put;
  if ("append" in edit) return [...blocks, edit.append];
  const id = "remove" in edit ? edit.remove : edit.replace.id;
  if (!blocks.some((block) => block.id === id)) return undefined;
  if ("remove" in edit) return blocks.filter((block) => block.id !== id);
  return blocks.map((block) => (block.id === id ? edit.replace : block));
}

/** The blocks after all edits, or undefined when one names a block that is not there. */
export function applyEdits(blocks: readonly Block[], edits: readonly Edit[]): readonly Block[] | undefined {
  let now: readonly Block[] | undefined = blocks;
  for (const edit of edits) now = now && applyEdit(now, edit);
  return now;
}

/** A document as a register with compare-and-set: what each operation must answer in each state. */
export class DocumentModel implements Model<DocumentState, Operation> {
  readonly initial: DocumentState;
  /** The text that readers saw under each version. */
  readonly #contents = new Map<string, string>();

  constructor(initial: DocumentState, history: readonly Operation[]) {
    this.initial = initial;
    for (const { answer } of history)
      if (answer?.kind === "content" && !this.#contents.has(answer.version))
        this.#contents.set(answer.version, textOf(answer.blocks));
  }

  keyOf(state: DocumentState): string {
    return `${state.version} ${textOf(state.blocks)}`;
  }

  step(state: DocumentState, { request, answer }: Operation): DocumentState | undefined {
    return request.kind === "read" ? this.#read(state, request.known, answer) : this.#write(state, request, answer);
  }

  #read(state: DocumentState, known: string | undefined, answer: Answer | undefined): DocumentState | undefined {
    if (answer === undefined) return state;
    if (answer.kind === "not modified") return known === undefined ? undefined : this.#seen(state, known);
    if (answer.kind !== "content" || textOf(answer.blocks) !== textOf(state.blocks)) return undefined;
    return this.#seen(state, answer.version);
  }

  #write(
    state: DocumentState,
    { expected, edits }: Request & { kind: "write" },
    answer: Answer | undefined,
  ): DocumentState | undefined {
    if (answer?.kind === "conflict") return answer.current === expected ? undefined : this.#seen(state, answer.current);
    const found = expected === undefined ? state : this.#seen(state, expected);
    const blocks = found && applyEdits(found.blocks, edits);
    if (answer?.kind === "no such block") return found && !blocks ? found : undefined;
    if (!blocks) return undefined;
    const written = { blocks, version: undefined };
    if (answer === undefined) return written;
    return answer.kind === "written" ? this.#seen(written, answer.version) : undefined;
  }

  /** The state with this version, or undefined when it has another, or when the version belongs to other content. */
  #seen(state: DocumentState, version: string): DocumentState | undefined {
    if (state.version === version) return state;
    if (state.version !== undefined) return undefined;
    const content = this.#contents.get(version);
    return content === undefined || content === textOf(state.blocks) ? { ...state, version } : undefined;
  }
}
