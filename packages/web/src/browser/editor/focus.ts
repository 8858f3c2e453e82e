import { commands, Extension } from "@tiptap/core";

/** Tiptap's `focus` gives the text the keyboard with the next frame: what is typed before it, on a busy page, goes elsewhere. This one gives it as soon as what asked for it has ended. */
export const FocusAtOnce = Extension.create({
  name: "focusAtOnce",
  addCommands: () => ({
    focus:
      (position = null, options = {}) =>
      (props) => {
        const { dispatch, editor, view } = props;
        if (position !== null) return commands.focus(position, options)(props);
        if (!dispatch || view.hasFocus()) return true;
        queueMicrotask(() => {
          if (editor.isDestroyed) return;
          view.focus();
          editor.commands.scrollIntoView();
        });
        return true;
      },
  }),
});
