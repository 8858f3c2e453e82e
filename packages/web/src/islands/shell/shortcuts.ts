import { at } from "./base-path.ts";
import { restore } from "./changes.ts";
import { element } from "./element.ts";
import { takeKeptToast, toast } from "./toast.ts";

/** A field of a dialog that was just closed has the focus until the next frame: unseen, it takes no writing. */
const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.checkVisibility() &&
  target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false]), dialog") !== null;

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

function showHelp(): void {
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

const HIDDEN = "svc-side-hidden";

function toggleSide(): void {
  const isHidden = document.documentElement.classList.toggle("side-hidden");
  localStorage.setItem(HIDDEN, isHidden ? "1" : "");
}

const go: Record<string, string> = { h: "/knowledge-bases", r: "/review" };
let wasG = 0;

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "\\") toggleSide();
    return;
  }
  if (isWriting(event.target) || event.altKey) return;
  const isSecond = Date.now() - wasG < 1000;
  wasG = event.key === "g" ? Date.now() : 0;
  if (isSecond && go[event.key]) location.assign(at(go[event.key]!));
  else if (event.key === "?") showHelp();
  else if (event.key === "[") toggleSide();
  else if (event.key === "n") document.querySelector<HTMLButtonElement>("[data-key-n]")?.click();
}

export function startShortcuts(): void {
  if (!document.getElementById("side")) return;
  if (localStorage.getItem(HIDDEN)) document.documentElement.classList.add("side-hidden");
  document.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("[data-keys]")) button.addEventListener("click", showHelp);
  const kept = takeKeptToast();
  const trashed = kept?.trashed ?? [];
  if (kept)
    toast(
      kept.text,
      trashed.length > 0
        ? async () => {
            for (const id of trashed.toReversed()) await restore(id);
            location.reload();
          }
        : undefined,
    );
}
