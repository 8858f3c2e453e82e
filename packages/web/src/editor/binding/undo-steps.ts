import { nodeTypes } from "@svc/document/schema/nodes";
import { typeOf } from "@svc/live/element";
import type { Node as EditorNode } from "@tiptap/pm/model";
import * as Y from "yjs";
import { childrenOf } from "../block-json.ts";

/** Marks what this editor writes into the live state. */
const OWN = Symbol("editor");

/** What the undo manager notes of a step: the change that it is a part of. */
const GROUP = Symbol("group");

/** What is undone at once of writing without a pause; after a pause a step begins anyway. */
const LONGEST_STEP_MS = 5000;
const PAUSE_MS = 600;

/** Writes into a live state in steps that can be taken back, one's own and nobody else's. */
export class UndoSteps {
  readonly #doc: Y.Doc;
  readonly #manager: Y.UndoManager;
  /** Names the parts of one change that is too long for one update: they are undone together. */
  #group: unknown;
  /** When the last step began. */
  #begunAt = 0;
  /** The steps as they were before one is taken back; the manager takes them off the end. */
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
   * What others wrote into a block stays when its making is taken back, and so does the block. One's own words in it are
   * gone by then: the manager deletes from the inside.
   */
  #holdsOthers({ content, parent, parentSub }: Y.Item): boolean {
    if (content instanceof Y.ContentType) return holdsWords(content.type);
    const made = parentSub !== null && parent instanceof Y.XmlElement ? parent._item : null;
    const step = this.#before[this.#left.length];
    return made !== null && step !== undefined && Y.isDeleted(step.insertions, made.id) && holdsWords(parent);
  }

  /** A line more or less begins a step, and so does a long stretch of writing. */
  divide(before: readonly EditorNode[], after: readonly EditorNode[]): void {
    const now = performance.now();
    if (linesIn(before) === linesIn(after) && now - this.#begunAt < LONGEST_STEP_MS) return;
    this.#manager.stopCapturing();
    this.#begunAt = now;
  }

  /** Each change is an update of its own; all of them are one step. */
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

/** Paragraphs and the like, in lists and tables too. */
function linesIn(nodes: readonly EditorNode[]): number {
  let lines = 0;
  for (const node of nodes) {
    if (node.isTextblock) lines++;
    else lines += linesIn(childrenOf(node));
  }
  return lines;
}
