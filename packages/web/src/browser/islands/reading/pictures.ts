import { element } from "../common/element.ts";

/** A picture opens large: by click, or by Enter on it. Escape and a click close it. */
export function startPictures(root: ParentNode): void {
  for (const picture of root.querySelectorAll<HTMLImageElement>("img"))
    if (!picture.closest("a")) makeOpenable(picture);
  for (const link of root.querySelectorAll<HTMLAnchorElement>("a.picture-load")) startLoading(link);
}

function makeOpenable(picture: HTMLImageElement): HTMLButtonElement {
  const button = element("button", { type: "button", class: "picture-button", "aria-label": labelOf(picture) });
  picture.replaceWith(button);
  button.append(picture);
  button.addEventListener("click", () => showLarge(picture));
  return button;
}

/** A remote picture is loaded in the place of its link. */
function startLoading(link: HTMLAnchorElement): void {
  link.setAttribute("role", "button");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const picture = element("img", { src: link.href, alt: link.dataset.alt ?? "" });
    link.replaceWith(picture);
    makeOpenable(picture).focus();
  });
}

const labelOf = ({ alt }: HTMLImageElement): string =>
  alt ? `Open the picture “${alt}” large` : "Open the picture large";

function showLarge({ src, alt }: HTMLImageElement): void {
  const close = element("button", { type: "button", class: "button" }, "Close");
  const dialog = element(
    "dialog",
    { class: "picture-large", "aria-label": alt || "Picture" },
    element("img", { src, alt }),
    close,
  );
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
