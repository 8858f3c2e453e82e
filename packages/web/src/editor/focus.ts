import { commands, Extension } from "@tiptap/core";

/** Tiptap's `focus` gives the text the keyboard with the next frame: what is typed before it, on a busy page, goes elsewhere. This one gives it as soon as what asked for it has ended. */
export const FocusAtOnce = Extension.create({
  name: "focusAtOnce",
  addCommands: () => ({
    focus: (position, options) => (props) => {
      const { dispatch, editor, view } = props;
      if (dispatch && position !== false) queueMicrotask(() => editor.isDestroyed || view.focus());
      return commands.focus(position, options)(props);
    },
  }),
});
