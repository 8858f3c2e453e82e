import { element } from "../islands/common/element.ts";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const mod = isMac ? "⌘" : "Ctrl";

const keys: readonly (readonly [keys: string, what: string])[] = [
  ["/", "Insert a block"],
  ["[[", "Link to a page; add # to find its headings"],
  ["@", "Mention a person, link to a page, or insert a date"],
  ["# , ## … ###### ", "Headings"],
  ["- , 1. , [ ] ", "Lists and tasks"],
  ["> , ``` , ---", "Quote, code, divider"],
  [`${mod} B, I, U`, "Bold, italic, underline"],
  [`${mod} E`, "Code"],
  [`${mod} K`, "Link the selected text"],
  [`${mod} click`, "Open a link"],
  [`${mod} Alt K`, "Keyboard key"],
  ["Tab, Shift Tab", "Indent or outdent; next or previous cell"],
  ["Esc, Tab", "Leave the text"],
  ["[^1]", "Footnote"],
  [`${mod} Alt F`, "New footnote"],
  [`${mod} Alt 1 … 6`, "Headings"],
  [`${mod} Enter`, "Tick a task"],
  ["Esc, Shift ↑ ↓", "Select the block, and its neighbours"],
  [`Alt ↑ ↓, ${mod} Shift ↑ ↓`, "Move the selected blocks"],
  [`${mod} Shift D`, "Duplicate the block"],
  [`${mod} Shift L`, "Copy a link to the block"],
  [`${mod} Shift ⌫`, "Delete the block"],
  [`${mod} .`, "Fold or unfold the section"],
  [`${mod} Alt M`, "Comment on the selected text"],
  [`${mod} F`, "Find and replace"],
  [`${mod} Z, ${mod} Shift Z`, "Undo and redo your own edits"],
  [`${mod} Shift V`, "Paste as plain text"],
  [`${mod} /`, "Show shortcuts"],
];

/** All keys of the editor. */
export function openHelp(back: () => void): void {
  const rows = keys.map(([press, what]) => [element("dt", {}, element("kbd", {}, press)), element("dd", {}, what)]);
  const close = element("button", { type: "button", class: "button button-small" }, "Close");
  const dialog = element(
    "dialog",
    { class: "editor-help", "aria-labelledby": "editor-help-title" },
    element("h2", { id: "editor-help-title" }, "Keyboard shortcuts"),
    element("dl", {}, ...rows.flat()),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    back();
  });
  document.body.append(dialog);
  dialog.showModal();
  // The button that has the focus is the last of it.
  dialog.scrollTop = 0;
}
