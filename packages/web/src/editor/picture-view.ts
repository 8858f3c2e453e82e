import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { at } from "../islands/shell/base-path.ts";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function show(image: HTMLImageElement, { attrs }: EditorNode): void {
  const id = text(attrs.attachmentId);
  image.src = id === "" ? text(attrs.src) : at(`/files/${encodeURIComponent(id)}`);
  image.alt = text(attrs.alt);
  image.title = text(attrs.title);
  for (const side of ["width", "height"] as const)
    if (attrs[side]) image.setAttribute(side, String(attrs[side]));
    else image.removeAttribute(side);
}

/** A picture of the document shows its file, whatever address the body has. */
function pictureView(node: EditorNode) {
  const dom = document.createElement("img");
  show(dom, node);
  return {
    dom,
    update: (now: EditorNode) => {
      if (now.type !== node.type) return false;
      show(dom, now);
      return true;
    },
  };
}

export const PictureViews = Extension.create({
  name: "pictureViews",
  addProseMirrorPlugins: () => [new Plugin({ props: { nodeViews: { image: pictureView, inlineImage: pictureView } } })],
});
