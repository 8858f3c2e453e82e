import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** The part of ProseMirror's observer that is used; it has no public name. */
interface Observing {
  readonly domObserver?: { flush(): void };
}

/**
 * Takes over where the browser's caret stands. The browser reports a moved caret later than it moves it: a transaction
 * in between, or the next key, would otherwise work with the old place and put the caret back there.
 */
export function readCaret(view: EditorView): void {
  if (!view.composing) (view as unknown as Observing).domObserver?.flush();
}

/** Keys act where the caret is, however fast they follow each other. */
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
