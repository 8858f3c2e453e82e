import type { ChainedCommands, Editor } from "@tiptap/core";
import { targetOf } from "../islands/common/element.ts";
import { belowSummary } from "./details.ts";
import { toggleCode } from "./typing/code-lines.ts";

/** The undo implementation: the live document's, or this editor's history. */
interface Undoing {
  undo(): boolean;
  redo(): boolean;
}

/** The action of each button, by `data-command`. */
const commands: Readonly<Record<string, (chain: ChainedCommands) => ChainedCommands>> = {
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  strike: (chain) => chain.toggleStrike(),
  code: (chain) => chain.toggleCode(),
  heading: (chain) => belowSummary(chain).toggleHeading({ level: 2 }),
  bulletList: (chain) => belowSummary(chain).toggleBulletList(),
  orderedList: (chain) => belowSummary(chain).toggleOrderedList(),
  taskList: (chain) => belowSummary(chain).toggleTaskList(),
  blockquote: (chain) => belowSummary(chain).toggleBlockquote(),
  codeBlock: (chain) => toggleCode(belowSummary(chain)),
  table: (chain) => belowSummary(chain).insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
};

/** Marks and blocks that a button shows as on. */
const toggles = [
  "bold",
  "italic",
  "strike",
  "code",
  "heading",
  "bulletList",
  "orderedList",
  "taskList",
  "blockquote",
  "codeBlock",
];

export function bindToolbar(toolbar: HTMLElement, editor: Editor, undoing: () => Undoing | undefined): void {
  const buttons = [...toolbar.querySelectorAll<HTMLButtonElement>("button[data-command]")];
  toolbar.addEventListener("click", (event) => {
    const name = targetOf(event)?.closest<HTMLButtonElement>("button[data-command]")?.dataset.command;
    if (name === "undo") undoing()?.undo();
    else if (name === "redo") undoing()?.redo();
    else if (name !== undefined) commands[name]?.(editor.chain().focus()).run();
  });
  editor.on("transaction", () => {
    for (const button of buttons)
      if (toggles.includes(button.dataset.command ?? ""))
        button.setAttribute("aria-pressed", String(editor.isActive(button.dataset.command ?? "")));
  });
}
