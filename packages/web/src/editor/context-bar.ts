import type { Attrs } from "@svc/document/types";
import type { ChainedCommands, Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { element } from "../islands/shell/element.ts";

/** An attribute of a node that is changed in a field. */
interface Field {
  readonly attribute: string;
  readonly label: string;
  readonly values?: readonly string[];
  readonly isLong?: boolean;
}

const fields: Readonly<Record<string, readonly Field[]>> = {
  codeBlock: [{ attribute: "language", label: "Language" }],
  callout: [{ attribute: "kind", label: "Kind", values: ["note", "tip", "important", "warning", "caution"] }],
  image: [
    { attribute: "alt", label: "Alternative text" },
    { attribute: "title", label: "Caption" },
    { attribute: "width", label: "Width" },
  ],
  blockMath: [{ attribute: "latex", label: "LaTeX", isLong: true }],
  inlineMath: [{ attribute: "latex", label: "LaTeX" }],
  rawHtml: [{ attribute: "html", label: "HTML", isLong: true }],
  attachment: [{ attribute: "name", label: "Name" }],
};

const tableTools: readonly (readonly [label: string, run: (chain: ChainedCommands) => ChainedCommands])[] = [
  ["Row above", (chain) => chain.addRowBefore()],
  ["Row below", (chain) => chain.addRowAfter()],
  ["Column before", (chain) => chain.addColumnBefore()],
  ["Column after", (chain) => chain.addColumnAfter()],
  ["Delete row", (chain) => chain.deleteRow()],
  ["Delete column", (chain) => chain.deleteColumn()],
  ["Header row", (chain) => chain.toggleHeaderRow()],
  ["Merge cells", (chain) => chain.mergeCells()],
  ["Split cell", (chain) => chain.splitCell()],
  ["Align left", (chain) => chain.setCellAttribute("align", "left")],
  ["Align centre", (chain) => chain.setCellAttribute("align", "center")],
  ["Align right", (chain) => chain.setCellAttribute("align", "right")],
  ["Delete table", (chain) => chain.deleteTable()],
];

interface Target {
  readonly type: string;
  readonly position: number;
  readonly attrs: Attrs;
}

/** The node that the bar is about: the selected one, or the innermost around the caret that has tools. */
function targetOf({ state: { selection } }: Editor): Target | undefined {
  if (selection instanceof NodeSelection && fields[selection.node.type.name])
    return { type: selection.node.type.name, position: selection.from, attrs: selection.node.attrs };
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type, attrs } = $from.node(depth);
    if (fields[type.name] || type.name === "table") return { type: type.name, position: $from.before(depth), attrs };
  }
  return undefined;
}

/** Tools for what the caret is in: language of code, kind of a callout, rows and columns, source of a formula. */
export function bindContextBar(bar: HTMLElement, editor: Editor): void {
  let shown = "";
  const update = () => {
    const target = editor.isEditable ? targetOf(editor) : undefined;
    const name = target ? `${target.type}:${target.position}` : "";
    if (name === shown) return;
    shown = name;
    bar.hidden = target === undefined;
    bar.replaceChildren(...(target ? toolsOf(editor, target) : []));
  };
  editor.on("transaction", update);
}

const toolsOf = (editor: Editor, target: Target): HTMLElement[] =>
  target.type === "table"
    ? tableTools.map(([label, run]) => {
        const button = element("button", { type: "button", class: "button button-small" }, label);
        button.addEventListener("click", () => run(editor.chain().focus()).run());
        return button;
      })
    : fields[target.type]!.map((field) => fieldOf(editor, target, field));

function fieldOf(
  editor: Editor,
  { position, type, attrs }: Target,
  { attribute, label, values, isLong }: Field,
): HTMLElement {
  const value = String(attrs[attribute] ?? "");
  const input = values
    ? element("select", {}, ...values.map((one) => element("option", { value: one, selected: one === value }, one)))
    : isLong
      ? element("textarea", { rows: 2 }, value)
      : element("input", { type: "text", value, maxlength: 2000 });
  const write = () => {
    const node = editor.state.doc.nodeAt(position);
    if (node?.type.name !== type || String(node.attrs[attribute] ?? "") === input.value) return;
    editor.view.dispatch(editor.state.tr.setNodeAttribute(position, attribute, input.value || null));
  };
  input.addEventListener("input", write);
  input.addEventListener("keydown", (event) => {
    const key = (event as KeyboardEvent).key;
    if (key !== "Escape" && (key !== "Enter" || isLong)) return;
    event.preventDefault();
    editor.commands.focus();
  });
  return element("label", {}, label, input);
}
