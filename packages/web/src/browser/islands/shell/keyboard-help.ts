import { element } from "../common/element.ts";

/** One line of the help: keys and what they do. */
const HELP: readonly (readonly [keys: string, text: string])[] = [
  ["Ctrl K or ⌘ K", "Go to a page or command"],
  ["/", "Search"],
  ["Ctrl \\ or [", "Hide or show the sidebar"],
  ["n", "New page here"],
  ["g, then h", "Home"],
  ["g, then r", "Review"],
  ["e", "Edit the page"],
  ["c", "Comment on the selection, or on the page"],
  ["j, k", "Next or previous comment or review item"],
  ["a, r, x", "Accept, reject or select, in a review"],
  ["?", "Show shortcuts"],
  ["↑ ↓ ← →", "Move in the tree; type to find a name"],
  ["Insert", "New page, in the tree"],
  ["Alt ↑ ↓", "Move a page or folder up or down, in the tree"],
  ["F2", "Rename, in the tree"],
  ["Delete", "Move to the trash, in the tree and in lists"],
  ["Space, Shift ↑ ↓", "Select several, in the tree and in lists"],
  ["Shift F10", "Actions, in the tree"],
];

/** Shows the keyboard help; only once, even if requested again while it loads. */
export function showHelp(): void {
  if (document.getElementById("keys-title")) return;
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "keys-title" });
  const list = element("dl", { class: "keys" });
  for (const [keys, text] of HELP) list.append(element("dt", {}, element("kbd", {}, keys)), element("dd", {}, text));
  const close = element("button", { type: "button", class: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.append(
    element("h2", { id: "keys-title" }, "Keyboard"),
    list,
    element("div", { class: "dialog-buttons" }, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
