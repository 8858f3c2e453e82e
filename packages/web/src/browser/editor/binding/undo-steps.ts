import { nodeTypes } from "@svc/document/schema/nodes";
import { typeOf } from "@svc/live/element";
import type { Node as EditorNode } from "@tiptap/pm/model";
import * as Y from "yjs";
import { childrenOf } from "../block-json.ts";

/** The origin of this editor's changes in the live state. */
const OWN = Symbol("editor");

/** The key under which the undo manager stores the change that a step belongs to. */
const GROUP = Symbol("group");

/** Max duration of typing without a pause in one undo step; a pause starts a new step. */
const LONGEST_STEP_MS = 5000;
const PAUSE_MS = 600;

/** Writes into a live state in undo steps. Only the person's own changes are undone. */
export class UndoSteps {
  readonly #doc: Y.Doc;
  readonly #manager: Y.UndoManager;
  /** Identifies the parts of a change too long for one update: they are undone together. */
  #group: unknown;
  /** When the last step started. */
  #begunAt = 0;
  /** The steps before an undo; the manager removes them from the end. */
  #before: Y.UndoManager["undoStack"] = [];
  #left: Y.UndoManager["undoStack"] = [];

  constructor(doc: Y.Doc, map: ConstructorParameters<typeof Y.UndoManager>[0]) {
    this.#doc = doc;
    this.#manager = new Y.UndoManager(map, {
      trackedOrigins: new Set([OWN]),
      captureTimeout: PAUSE_MS,
      deleteFilter: (item) => !this.#holdsOthers(item),
    });
    this.#manager.on("stack-item-added", ({ stackItem }) => {
      if (this.#group) stackItem.meta.set(GROUP, this.#group);
    });
  }

  destroy(): void {
    this.#manager.destroy();
  }

  undo(): boolean {
    return this.#step(this.#manager.undoStack, () => this.#manager.undo() !== null);
  }

  redo(): boolean {
    return this.#step(this.#manager.redoStack, () => this.#manager.redo() !== null);
  }

  #step(stack: Y.UndoManager["undoStack"], run: () => boolean): boolean {
    const groupOf = (): unknown => stack.at(-1)?.meta.get(GROUP);
    const group = groupOf();
    this.#group = group;
    this.#before = [...stack];
    this.#left = stack;
    let isDone = run();
    while (group !== undefined && groupOf() === group) isDone = run() || isDone;
    this.#group = undefined;
    return isDone;
  }

  /**
   * Keeps a block, and the text others wrote into it, when its creation is undone. The person's own words in it are
   * already deleted: the manager deletes from the inside.
   */
  #holdsOthers({ content, parent, parentSub }: Y.Item): boolean {
    if (content instanceof Y.ContentType) return holdsWords(content.type);
    const made = parentSub !== null && parent instanceof Y.XmlElement ? parent._item : null;
    const step = this.#before[this.#left.length];
    return made !== null && step !== undefined && Y.isDeleted(step.insertions, made.id) && holdsWords(parent);
  }

  /** Starts a new step when the number of lines changes, or after a long stretch of typing. */
  divide(before: readonly EditorNode[], after: readonly EditorNode[]): void {
    const now = performance.now();
    if (linesIn(before) === linesIn(after) && now - this.#begunAt < LONGEST_STEP_MS) return;
    this.#manager.stopCapturing();
    this.#begunAt = now;
  }

  /** Writes each change as an update of its own; together they are one step. */
  write(changes: readonly (() => void)[]): void {
    const isLong = changes.length > 1;
    if (isLong) this.#group = {};
    for (const change of changes) {
      if (isLong) this.#manager.stopCapturing();
      this.#doc.transact(change, OWN);
    }
    if (isLong) this.#manager.stopCapturing();
    this.#group = undefined;
  }
}

const holdsWords = (type: unknown): boolean =>
  type instanceof Y.XmlText
    ? type.length > 0
    : type instanceof Y.XmlElement && type.toArray().some((child) => isLeaf(child) || holdsWords(child));

const isLeaf = (child: unknown): boolean =>
  child instanceof Y.XmlElement && nodeTypes[typeOf(child)]?.children === "none";

/** The number of lines, including those in lists and tables. */
function linesIn(nodes: readonly EditorNode[]): number {
  let lines = 0;
  for (const node of nodes) {
    if (node.isTextblock) lines++;
    else lines += linesIn(childrenOf(node));
  }
  return lines;
}
