import { Mark } from "@tiptap/core";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    kbd: {
      /** Toggles keyboard keys for the selected text. */
      toggleKbd: () => ReturnType;
    };
  }
}

/** Keyboard keys, for which Tiptap has no extension: `<kbd>`. */
export const Kbd = Mark.create({
  name: "kbd",
  parseHTML: () => [{ tag: "kbd" }],
  renderHTML: ({ HTMLAttributes }) => ["kbd", HTMLAttributes, 0],
  addCommands: () => ({
    toggleKbd:
      () =>
      ({ commands }) =>
        commands.toggleMark("kbd"),
  }),
  addKeyboardShortcuts() {
    return { "Mod-Alt-k": () => this.editor.commands.toggleMark("kbd") };
  },
});
