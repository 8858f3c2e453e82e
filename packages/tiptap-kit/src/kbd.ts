import { Mark } from "@tiptap/core";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    kbd: {
      /** Makes the selected text keys to press, or takes that away. */
      toggleKbd: () => ReturnType;
    };
  }
}

/** Keys to press, which Tiptap has no extension for: `<kbd>`. */
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
