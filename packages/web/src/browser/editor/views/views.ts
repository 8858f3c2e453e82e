import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { mathView } from "./math-view.ts";
import { pictureView } from "./picture-view.ts";

/** Nodes that look in the editor as they are read. */
export const NodeViews = Extension.create({
  name: "nodeViews",
  addProseMirrorPlugins() {
    const { editor } = this;
    const picture = pictureView(editor);
    return [
      new Plugin({
        props: { nodeViews: { image: picture, inlineImage: picture, inlineMath: mathView, blockMath: mathView } },
      }),
    ];
  },
});
