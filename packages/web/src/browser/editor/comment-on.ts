import { type Editor, Extension } from "@tiptap/core";
import { type EditorState, TextSelection } from "@tiptap/pm/state";
import { COMMENT_ON, newComment, type Passage } from "../islands/discussion/events.ts";
import { idOfNode } from "./block-json.ts";

/** The commented passage: the selected words of the first line with any, or the block if there is no text. */
function passageIn({ doc, selection }: EditorState): Passage | undefined {
  const { $from, from, empty, ranges } = selection;
  const block = $from.depth > 0 ? $from.node(1) : doc.nodeAt(from);
  const blockId = block ? idOfNode(block) : undefined;
  if (empty || blockId === undefined) return undefined;
  let passage: Passage | undefined;
  for (const { $from, $to } of ranges)
    doc.nodesBetween($from.pos, $to.pos, (node, position) => {
      if (passage || !node.isTextblock) return !passage;
      const [start, end] = [Math.max($from.pos, position + 1), Math.min($to.pos, position + node.nodeSize - 1)];
      const quote = doc.textBetween(start, end).trim();
      const top = doc.resolve(start).node(1);
      if (quote) passage = { blockId: idOfNode(top) ?? blockId, quote };
      return false;
    });
  return passage ?? { blockId, quote: "" };
}

/** Opens the comment form for the selection. Returns false if there is nothing to comment on, or no right to. */
export function commentOn(editor: Editor): boolean {
  const passage = passageIn(editor.state);
  if (!passage || !newComment()) return false;
  document.dispatchEvent(new CustomEvent<Passage>(COMMENT_ON, { detail: passage }));
  // Keeping the selection would show its bar over the text again once the comment is sent.
  if (editor.state.selection instanceof TextSelection) editor.commands.setTextSelection(editor.state.selection.head);
  return true;
}

export const CommentKeys = Extension.create({
  name: "commentKeys",
  addKeyboardShortcuts() {
    return { "Mod-Alt-m": () => commentOn(this.editor) };
  },
});
