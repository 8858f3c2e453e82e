import { plainText } from "@svc/document/read/text";
import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { element, targetOf } from "../islands/common/element.ts";
import { idOfNode } from "./block-json.ts";
import { wholeOf } from "./part/whole-document.ts";

/** After the last change, before the contents follow. */
const PAUSE_MS = 300;

interface Line {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

const lineOf = (id: string, level: unknown, text: string): Line => ({ id, level: Number(level), text: text.trim() });

/** The headings of the document, those that are not shown included. */
function headingsOf(editor: Editor): Line[] {
  const lines = new Map<string, Line>();
  const note = (node: EditorNode) => {
    const id = idOfNode(node);
    if (id !== undefined && node.type.name === "heading") lines.set(id, lineOf(id, node.attrs.level, node.textContent));
  };
  editor.state.doc.forEach(note);
  const whole = wholeOf(editor);
  if (!whole) return [...lines.values()];
  for (const { id, block } of whole.hiddenHeadings()) lines.set(id, lineOf(id, block.attrs?.level, plainText(block)));
  return whole.order.flatMap((id) => lines.get(id) ?? []);
}

/** Lists in lists, each heading below the last one of a higher level. */
function listOf(lines: readonly Line[]): HTMLUListElement {
  const top = element("ul");
  const open: { readonly level: number; readonly item: HTMLLIElement }[] = [];
  for (const { id, level, text } of lines) {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const item = element("li", {}, element("a", { href: `#${id}` }, text || "Untitled"));
    const above = open.at(-1)?.item;
    const list = above ? (above.querySelector("ul") ?? above.appendChild(element("ul"))) : top;
    list.append(item);
    open.push({ level, item });
  }
  return top;
}

/** Keeps the contents beside the text as its headings are, and goes to the one that is clicked. */
export function bindContents(editor: Editor, part: HTMLElement, goTo: (id: string) => void): void {
  const nav = part.querySelector("nav");
  if (!nav) return;
  let shown = "";
  const update = () => {
    const lines = headingsOf(editor);
    const now = JSON.stringify(lines);
    if (now === shown) return;
    shown = now;
    nav.hidden = lines.length === 0;
    nav.replaceChildren(listOf(lines));
  };
  update();
  let timer: ReturnType<typeof setTimeout> | undefined;
  editor.on("transaction", ({ transaction }) => {
    if (!transaction.docChanged) return;
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE_MS);
  });
  nav.addEventListener("click", (event) => {
    const link = targetOf(event)?.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(link.hash.slice(1));
  });
}
