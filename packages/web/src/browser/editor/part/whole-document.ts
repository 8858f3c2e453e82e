import type { Node } from "@svc/document/types";
import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import type { Transform } from "@tiptap/pm/transform";

export interface Heading {
  readonly id: string;
  readonly level: number;
}

/** A document of which the editor shows a part: access to the rest for the editor's features. */
export interface WholeDocument {
  /** Whether there are blocks that are not shown. */
  readonly isPart: boolean;
  /** The ids of all top-level blocks. */
  readonly order: readonly string[];
  /** The block with the caret, shown or not. */
  readonly caretBlock: string | undefined;
  has(id: string): boolean;
  isShown(id: string): boolean;
  /** A top-level block that is not shown; undefined for one that is. */
  hiddenBlock(id: string): Node | undefined;
  /** The blocks that are not shown, in their order. */
  hiddenBlocks(): Iterable<Node>;
  /** The headings that are not shown, in their order. */
  hiddenHeadings(): readonly { readonly id: string; readonly block: Node }[];
  /** Headings above a block. */
  headingsAbove(id: string | undefined): readonly Heading[];
  /** Shows the part of the document with this block. */
  reveal(id: string): void;
  /** Puts the whole document into the editor, however long it takes: for what concerns all of it at once. */
  showAll(): void;
  /** Scrolls back to the caret if the person has scrolled away. Returns false if its block is gone. */
  returnToCaret(): boolean;
  /** Changes blocks that are not shown; `change` gets each wanted one as the only block of a document. */
  changeHidden(isWanted: (block: Node) => boolean, change: (tr: Transform) => void): void;
  insertBehind(id: string, block: EditorNode): void;
}

const documents = new WeakMap<Editor, WholeDocument>();

export const setWhole = (editor: Editor, whole: WholeDocument): unknown => documents.set(editor, whole);

/** The access to hidden blocks; undefined if the whole document is in the editor. */
export const wholeOf = (editor: Editor): WholeDocument | undefined => {
  const whole = documents.get(editor);
  return whole?.isPart ? whole : undefined;
};
