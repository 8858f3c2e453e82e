import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { at } from "../../islands/common/base-path.ts";
import { element } from "../../islands/common/element.ts";

/** Pixels: a picture is not made smaller by dragging. */
const LEAST_WIDTH = 32;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function show(image: HTMLImageElement, { attrs }: EditorNode): void {
  const id = text(attrs.attachmentId);
  const src = id === "" ? text(attrs.src) : at(`/files/${encodeURIComponent(id)}`);
  if (image.getAttribute("src") !== src) image.src = src;
  image.alt = text(attrs.alt);
  image.title = text(attrs.title);
  for (const side of ["width", "height"] as const)
    if (attrs[side]) image.setAttribute(side, String(attrs[side]));
    else image.removeAttribute(side);
}

/** A corner that is dragged to make the picture wider or narrower; the fields above the text do the same by keys. */
function gripOf(editor: Editor, image: HTMLImageElement, position: () => number | undefined): HTMLElement {
  const grip = element("span", { class: "picture-grip", "aria-hidden": "true" });
  grip.addEventListener("pointerdown", (event) => {
    if (!editor.isEditable) return;
    event.preventDefault();
    event.stopPropagation();
    grip.setPointerCapture(event.pointerId);
    const [startX, startWidth] = [event.clientX, image.getBoundingClientRect().width];
    let width = startWidth;
    const move = (now: PointerEvent) => {
      width = Math.max(LEAST_WIDTH, Math.round(startWidth + now.clientX - startX));
      image.setAttribute("width", String(width));
    };
    const done = () => {
      grip.removeEventListener("pointermove", move);
      const place = position();
      if (place === undefined || width === startWidth) return;
      editor.view.dispatch(
        editor.state.tr.setNodeAttribute(place, "width", width).setNodeAttribute(place, "height", null),
      );
    };
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", done, { once: true });
  });
  return grip;
}

/** A picture of the document shows its file, whatever address the body has, and its caption below it. */
export const pictureView =
  (editor: Editor) => (node: EditorNode, _view: unknown, getPosition: () => number | undefined) => {
    const isBlock = node.type.name === "image";
    const image = element("img");
    const caption = element("figcaption");
    const frame = element("span", { class: "picture-frame" }, image, gripOf(editor, image, getPosition));
    const dom = isBlock ? element("figure", { class: "picture" }, frame, caption) : frame;
    const showAll = (now: EditorNode) => {
      show(image, now);
      caption.textContent = text(now.attrs.title);
      caption.hidden = caption.textContent === "";
      dom.classList.toggle("picture-unnamed", text(now.attrs.alt) === "");
    };
    showAll(node);
    return {
      dom,
      update: (now: EditorNode) => {
        if (now.type !== node.type) return false;
        showAll(now);
        return true;
      },
      ignoreMutation: () => true,
      stopEvent: (event: Event) => event.type.startsWith("pointer") && event.target !== image,
    };
  };
