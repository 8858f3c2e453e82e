import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** The part of ProseMirror's internal observer that is used. */
interface Observing {
  readonly domObserver?: { flush(): void };
}

/**
 * Reads the caret from the browser. The browser reports a moved caret late: a transaction in between, or the next key,
 * would otherwise use the old position and put the caret back there.
 */
export function readCaret(view: EditorView): void {
  if (!view.composing) (view as unknown as Observing).domObserver?.flush();
}

/** Makes keys act at the current caret, however fast they follow each other. */
export const PromptCaret = Extension.create({
  name: "promptCaret",
  priority: 1000,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          keydown: (view) => {
            readCaret(view);
            return false;
          },
        },
      },
    }),
  ],
});
