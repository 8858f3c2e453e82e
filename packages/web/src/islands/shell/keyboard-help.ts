import { element } from "../common/element.ts";

/** One line of the help: keys and what they do. */
const HELP: readonly (readonly [keys: string, text: string])[] = [
  ["Ctrl K or ⌘ K", "Go to a page or command"],
  ["/", "Search"],
  ["[", "Hide or show the sidebar"],
  ["n", "New page here"],
  ["g, then h", "Home"],
  ["g, then r", "Review"],
  ["c", "Comment, on what is selected if anything is"],
  ["j, k", "Next and previous comment, or thing to review"],
  ["a, r, x", "Accept, reject, choose, in a review"],
  ["?", "This help"],
  ["↑ ↓ ← →", "Walk the tree; letters find a name"],
  ["F2", "Rename, in the tree"],
  ["Delete", "Move to the trash, in the tree and in lists"],
  ["Space, Shift ↑ ↓", "Choose several, in the tree and in lists"],
  ["Shift F10", "Actions, in the tree"],
];

/** What the keys do; once, however often it is asked for before it is there. */
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
