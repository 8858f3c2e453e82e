import { type Editor, Extension } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import { COMMENT_ON, newComment, type Passage } from "../islands/discussion/events.ts";
import { idOfNode } from "./block-json.ts";

/** What is selected, as far as it lies in one line of text. */
function passageIn({ doc, selection }: EditorState): Passage | undefined {
  const { $from, from, to, empty } = selection;
  const block = $from.depth > 0 ? $from.node(1) : doc.nodeAt(from);
  const blockId = block ? idOfNode(block) : undefined;
  if (empty || blockId === undefined) return undefined;
  const end = $from.parent.isTextblock ? Math.min(to, $from.end()) : from;
  return { blockId, quote: doc.textBetween(from, end).trim() };
}

/** Opens the form for a comment on what is selected. False where there is nothing to comment on, or no right to. */
export function commentOn(editor: Editor): boolean {
  const passage = passageIn(editor.state);
  if (!passage || !newComment()) return false;
  document.dispatchEvent(new CustomEvent<Passage>(COMMENT_ON, { detail: passage }));
  return true;
}

export const CommentKeys = Extension.create({
  name: "commentKeys",
  addKeyboardShortcuts() {
    return { "Mod-Alt-m": () => commentOn(this.editor) };
  },
});
