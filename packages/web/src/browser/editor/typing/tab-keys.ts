import { Extension } from "@tiptap/core";

/**
 * Tab stays in a list where it can go no deeper: what is typed on would go to a button otherwise. Who wants to leave the
 * text selects the block with Escape first.
 */
export const TabKeys = Extension.create({
  name: "tabKeys",
  // Behind the lists' own keys.
  priority: 50,
  addKeyboardShortcuts() {
    const isInItem = () => {
      const { $from } = this.editor.state.selection;
      for (let depth = $from.depth; depth > 0; depth--)
        if (/^(list|task)Item$/.test($from.node(depth).type.name)) return true;
      return false;
    };
    return { Tab: isInItem };
  },
});
