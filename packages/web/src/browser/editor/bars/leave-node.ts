import type { Editor } from "@tiptap/core";
import { NodeSelection, Selection } from "@tiptap/pm/state";

/** Back to the text, behind a selected formula or picture, so that typing does not replace it. */
export function leaveNode(editor: Editor): void {
  const { state, view } = editor;
  if (state.selection instanceof NodeSelection)
    view.dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(state.selection.to))));
  editor.commands.focus();
}
