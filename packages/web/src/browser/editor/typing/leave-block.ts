/** Ways out of code, diagrams and the last block of a page: Escape, and a click below. */
import { type Editor, Extension } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** Puts the caret into the line behind a position; makes one where another block or nothing follows. */
function goBehind(view: EditorView, position: number): void {
  const { state } = view;
  const next = state.doc.resolve(position).nodeAfter;
  const { tr } = state;
  if (!next?.isTextblock || next.type.spec.code) tr.insert(position, state.schema.node("paragraph"));
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, position + 1)).scrollIntoView());
  view.focus();
}

function leaveCode(view: EditorView): boolean {
  const { $from, empty } = view.state.selection;
  if (!empty || !$from.parent.type.spec.code) return false;
  goBehind(view, $from.after());
  return true;
}

/** A press below the last block goes on in a line of its own, unless the last block is one. */
function pressBelow(view: EditorView, event: MouseEvent): void {
  const { doc } = view.state;
  const last = doc.lastChild;
  const shown = last && view.nodeDOM(doc.content.size - last.nodeSize);
  const isBeside = event.target instanceof Node && event.target.contains(view.dom);
  if (!last || !(shown instanceof HTMLElement) || !isBeside || !view.editable || event.button !== 0) return;
  // The last block that is drawn of a very long page is not the page's.
  if (view.dom.closest("[data-part]")) return;
  if (event.clientY <= shown.getBoundingClientRect().bottom) return;
  event.preventDefault();
  if (last.type.name !== "paragraph") goBehind(view, doc.content.size);
  else {
    view.dispatch(view.state.tr.setSelection(TextSelection.create(doc, doc.content.size - 1)));
    view.focus();
  }
}

/** The room below the text belongs to it. */
export function bindPressBelow({ view }: Editor): void {
  view.dom.closest<HTMLElement>(".editor")?.addEventListener("mousedown", (event) => pressBelow(view, event));
}

export const LeaveBlock = Extension.create({
  name: "leaveBlock",
  priority: 200,
  addKeyboardShortcuts() {
    return { Escape: () => leaveCode(this.editor.view) };
  },
});
