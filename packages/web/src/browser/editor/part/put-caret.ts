import type { Editor } from "@tiptap/core";
import { Selection, TextSelection } from "@tiptap/pm/state";
import type { Press } from "../../islands/living-page/edit-on-click.ts";
import { idOfNode } from "../block-json.ts";

/** Puts the caret where the person clicked, or at the start of the block that they were reading. */
export function putCaret(editor: Editor, press: Press | undefined, blockId: string | undefined): void {
  const { view, state } = editor;
  const at = (point: Press["anchor"]) => state.doc.resolve(view.posAtCoords(point)?.pos ?? state.doc.content.size);
  const selection = press ? TextSelection.between(at(press.anchor), at(press.head)) : atBlock(editor, blockId);
  view.dispatch(state.tr.setSelection(selection));
  view.dom.focus({ preventScroll: true });
}

function atBlock({ state }: Editor, blockId: string | undefined): Selection {
  let start = 0;
  state.doc.forEach((node, position) => {
    if (blockId !== undefined && idOfNode(node) === blockId) start = position;
  });
  return Selection.near(state.doc.resolve(start));
}
