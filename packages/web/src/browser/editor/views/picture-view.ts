import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { element } from "../../islands/common/element.ts";
import { type Player, playerOf } from "./media-player.ts";
import { pictureSource } from "./picture-source.ts";

/** The min width in pixels that dragging can set. */
const MIN_WIDTH = 32;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function show(image: HTMLImageElement, url: string, { attrs }: EditorNode): void {
  if (image.getAttribute("src") !== url) image.src = url;
  image.alt = text(attrs.alt);
  image.title = text(attrs.title);
  for (const side of ["width", "height"] as const)
    if (attrs[side]) image.setAttribute(side, String(attrs[side]));
    else image.removeAttribute(side);
}

/** A corner handle that resizes the picture by dragging; the fields above the text do the same from the keyboard. */
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
      width = Math.max(MIN_WIDTH, Math.round(startWidth + now.clientX - startX));
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

/** Renders a picture with its caption below. An attached picture shows its file, whatever address the body has. */
export const pictureView =
  (editor: Editor) => (node: EditorNode, _view: unknown, getPosition: () => number | undefined) => {
    const isBlock = node.type.name === "image";
    const image = element("img");
    const caption = element("figcaption");
    const loader = element("button", { type: "button", class: "picture-load" });
    const frame = element("span", { class: "picture-frame" }, image, gripOf(editor, image, getPosition), loader);
    const dom = isBlock ? element("figure", { class: "picture" }, frame, caption) : frame;
    let current = node;
    let player: Player | undefined;
    const showAll = () => {
      const source = pictureSource(text(current.attrs.attachmentId), text(current.attrs.src));
      const isWaiting = source.waitsFor !== undefined;
      if (player?.url !== source.url) {
        player?.element.remove();
        player = undefined;
      }
      loader.hidden = !isWaiting;
      loader.textContent = `Load picture from ${source.waitsFor}`;
      image.hidden = isWaiting || player !== undefined;
      if (!isWaiting) show(image, source.url, current);
      caption.textContent = text(current.attrs.title);
      caption.hidden = caption.textContent === "";
      dom.classList.toggle("picture-unnamed", text(current.attrs.alt) === "");
    };
    loader.addEventListener("click", () => {
      pictureSource(text(current.attrs.attachmentId), text(current.attrs.src)).load();
      showAll();
    });
    image.addEventListener("error", async () => {
      const found = await playerOf(image.src, image.alt);
      if (!found || found.url !== image.src || player) return;
      player = { ...found, url: image.getAttribute("src") ?? "" };
      image.before(player.element);
      image.hidden = true;
    });
    showAll();
    return {
      dom,
      update: (now: EditorNode) => {
        if (now.type !== node.type) return false;
        current = now;
        showAll();
        return true;
      },
      ignoreMutation: () => true,
      stopEvent: ({ type, target }: Event) =>
        target === loader ||
        (player !== undefined && target === player.element) ||
        (type.startsWith("pointer") && target !== image),
    };
  };
