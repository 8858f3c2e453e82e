import { type Editor, Extension } from "@tiptap/core";
import { Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { readCaret } from "../binding/caret.ts";
import type { PartView } from "./part-view.ts";

/** Keys that do nothing where the caret is. */
const idle = new Set(["Control", "Shift", "Alt", "Meta", "CapsLock", "ContextMenu", "PrintScreen"]);
/** With Control or Command: what works on the page or on all of the document. */
const elsewhere = new Set(["f", "/", "z", "y", "a", "s", "p", "r", "Home", "End", "ArrowUp", "ArrowDown", "."]);

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const hasMod = (event: KeyboardEvent): boolean => (isMac ? event.metaKey : event.ctrlKey);

/** To the beginning or the end of the whole document; with Shift everything on the way is selected. */
function goToEnd(editor: Editor, part: PartView, side: "start" | "end", isSelecting: boolean): boolean {
  const { view } = editor;
  if (isSelecting) {
    part.returnToCaret();
    part.showAll();
  } else part.reveal((side === "start" ? part.order[0] : part.order.at(-1)) ?? "");
  const { doc, selection, tr } = view.state;
  const end = side === "start" ? Selection.atStart(doc) : Selection.atEnd(doc);
  tr.setSelection(isSelecting ? TextSelection.between(selection.$anchor, end.$head) : end);
  view.dispatch(tr.scrollIntoView());
  return true;
}

/** Keys work where the caret is and on what stands beside it, whether it is shown or not. */
export const partKeys = (part: () => PartView | undefined) =>
  Extension.create({
    name: "partKeys",
    priority: 1100,
    addKeyboardShortcuts() {
      const { editor } = this;
      const to = (side: "start" | "end", isSelecting: boolean) => () => {
        const shown = part();
        return shown?.isPart === true && goToEnd(editor, shown, side, isSelecting);
      };
      const ends = (start: string, end: string) => ({
        [start]: to("start", false),
        [end]: to("end", false),
        [`Shift-${start}`]: to("start", true),
        [`Shift-${end}`]: to("end", true),
      });
      return {
        ...ends("Mod-Home", "Mod-End"),
        ...(isMac && ends("Mod-ArrowUp", "Mod-ArrowDown")),
        "Mod-a": () => {
          if (part()?.isPart) part()?.showAll();
          return false;
        },
      };
    },
    addProseMirrorPlugins() {
      /** True if what follows would work at a place that is gone. */
      const returnToCaret = (view: EditorView): boolean => {
        const shown = part();
        if (!shown || shown.returnToCaret()) return false;
        view.dom.blur();
        return true;
      };
      const refuse = (view: EditorView, event: Event): boolean => {
        if (!returnToCaret(view)) return false;
        event.preventDefault();
        return true;
      };
      return [
        new Plugin({
          props: {
            handleDOMEvents: {
              keydown: (view, event) => {
                const shown = part();
                if (!shown?.isPart || idle.has(event.key) || (hasMod(event) && elsewhere.has(event.key))) return false;
                readCaret(view);
                if (refuse(view, event)) return true;
                shown.makeRoom();
                return false;
              },
              beforeinput: refuse,
              paste: refuse,
              cut: refuse,
              copy: refuse,
              mousedown: (_view, event) => {
                if (event.shiftKey) part()?.extendToCaret();
                else part()?.forgetCaret();
                return false;
              },
            },
          },
        }),
      ];
    },
  });
