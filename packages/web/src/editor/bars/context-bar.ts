import type { Attrs } from "@svc/document/types";
import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { element } from "../../islands/common/element.ts";
import { goToNote, goToReference, removeFootnote, renameFootnote } from "../footnotes.ts";
import { loadIsland } from "../lazy.ts";
import { openLink } from "../open-links.ts";
import { tableTools } from "../tables.ts";

/** An attribute of a node that is changed in a field. */
interface Field {
  readonly attribute: string;
  readonly label: string;
  readonly values?: readonly string[];
  readonly isLong?: boolean;
  readonly isNumber?: boolean;
  /** Values that are offered, and any other can be written. */
  readonly offer?: () => Promise<readonly string[]>;
  /** Where more than the attribute of this node changes. Answers whether the value could be taken. */
  readonly write?: (editor: Editor, before: string, value: string) => boolean;
}

const footnoteLabel: Field = { attribute: "label", label: "Label", write: renameFootnote };

const fields: Readonly<Record<string, readonly Field[]>> = {
  codeBlock: [
    {
      attribute: "language",
      label: "Language",
      offer: async () => ["mermaid", ...(await loadIsland("code")).languages],
    },
  ],
  callout: [{ attribute: "kind", label: "Kind", values: ["note", "tip", "important", "warning", "caution"] }],
  image: [
    { attribute: "alt", label: "Alternative text" },
    { attribute: "title", label: "Caption" },
    { attribute: "width", label: "Width", isNumber: true },
  ],
  inlineImage: [
    { attribute: "alt", label: "Alternative text" },
    { attribute: "width", label: "Width", isNumber: true },
  ],
  orderedList: [{ attribute: "start", label: "First number", isNumber: true }],
  blockMath: [{ attribute: "latex", label: "LaTeX", isLong: true }],
  inlineMath: [{ attribute: "latex", label: "LaTeX" }],
  rawHtml: [{ attribute: "html", label: "HTML", isLong: true }],
  inlineRawHtml: [{ attribute: "html", label: "HTML" }],
  attachment: [{ attribute: "name", label: "Name" }],
  emoji: [{ attribute: "emoji", label: "Emoji" }],
  youtube: [{ attribute: "src", label: "Address" }],
  footnoteReference: [footnoteLabel],
  footnoteDefinition: [footnoteLabel],
};

type Run = (editor: Editor, attrs: Attrs) => void;
const labelIn = ({ label }: Attrs): string => String(label ?? "");
const removeNote: readonly [string, Run] = [
  "Remove footnote",
  (editor, attrs) => removeFootnote(editor, labelIn(attrs)),
];

/** Buttons beside the fields. */
const tools: Readonly<Record<string, readonly (readonly [label: string, run: Run])[]>> = {
  table: tableTools.map(([label, run]) => [label, (editor) => void run(editor.chain().focus()).run()]),
  footnoteReference: [["Go to the note", (editor, attrs) => goToNote(editor, labelIn(attrs))], removeNote],
  footnoteDefinition: [["Back to the text", (editor, attrs) => goToReference(editor, labelIn(attrs))], removeNote],
};

/** Buttons for the link that the caret is in, before those of the block around it. */
const linkTools: readonly (readonly [label: string, run: (editor: Editor) => void])[] = [
  ["Open link", (editor) => openLink(editor.getAttributes("link").href ?? "")],
  ["Change link", (editor) => void editor.chain().focus().extendMarkRange("link").run()],
  ["Remove link", (editor) => void editor.chain().focus().extendMarkRange("link").unsetLink().run()],
];

/** The caret is in a link. A selected one has a field for its address. */
const isInLink = (editor: Editor): boolean => editor.state.selection.empty && editor.isActive("link");

const hasTools = (type: string): boolean => type in fields || type in tools;

interface Target {
  readonly type: string;
  readonly position: number;
  readonly attrs: Attrs;
}

/** The node that the bar is about: the selected one, or the innermost around the caret that has tools. */
function targetOf({ state: { selection } }: Editor): Target | undefined {
  if (selection instanceof NodeSelection && hasTools(selection.node.type.name))
    return { type: selection.node.type.name, position: selection.from, attrs: selection.node.attrs };
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type, attrs } = $from.node(depth);
    if (hasTools(type.name)) return { type: type.name, position: $from.before(depth), attrs };
  }
  return undefined;
}

/** Tools for what the caret is in: language of code, kind of a callout, rows and columns, source of a formula. */
export function bindContextBar(bar: HTMLElement, editor: Editor): void {
  let shown = "";
  const update = () => {
    const target = editor.isEditable ? targetOf(editor) : undefined;
    const isLink = editor.isEditable && isInLink(editor);
    const name = `${isLink ? "link " : ""}${target ? `${target.type}:${target.position}` : ""}`;
    if (name === shown) {
      if (target) refresh(bar, target);
      return;
    }
    shown = name;
    bar.hidden = name === "";
    bar.replaceChildren(
      ...(isLink ? linkTools : []).map(([label, run]) => toolOf(label, () => run(editor))),
      ...(target ? toolsOf(editor, target) : []),
    );
  };
  editor.on("transaction", update);
}

/** Others, and dragging, change the node too: fields that nobody writes in follow it. */
function refresh(bar: HTMLElement, { attrs }: Target): void {
  for (const input of bar.querySelectorAll<HTMLInputElement>("[data-attribute]")) {
    const value = String(attrs[input.dataset.attribute ?? ""] ?? "");
    if (input !== document.activeElement && input.value !== value) input.value = value;
  }
}

function toolOf(label: string, run: () => void): HTMLElement {
  const button = element("button", { type: "button", class: "button button-small" }, label);
  button.addEventListener("click", run);
  return button;
}

const toolsOf = (editor: Editor, target: Target): HTMLElement[] => [
  ...(fields[target.type] ?? []).map((field) => fieldOf(editor, target, field)),
  ...(tools[target.type] ?? []).map(([label, run]) =>
    toolOf(label, () => {
      // What it is now: the fields beside may have changed it.
      const node = editor.state.doc.nodeAt(target.position);
      run(editor, node?.type.name === target.type ? node.attrs : target.attrs);
    }),
  ),
];

function inputOf({ values, isLong, isNumber }: Field, value: string) {
  if (values)
    return element(
      "select",
      {},
      ...values.map((one) => element("option", { value: one, selected: one === value }, one)),
    );
  if (isLong) return element("textarea", { rows: 2, spellcheck: "false" }, value);
  return element("input", { type: "text", value, maxlength: 2000, ...(isNumber && { inputmode: "numeric" }) });
}

const attributeValue = ({ isNumber }: Field, text: string): string | number | null => {
  if (text === "") return null;
  return isNumber && /^\d{1,5}$/.test(text) ? Number(text) : text;
};

function fieldOf(editor: Editor, { position, type, attrs }: Target, field: Field): HTMLElement {
  const { attribute, label, isLong, isNumber, write, offer } = field;
  const input = inputOf(field, String(attrs[attribute] ?? ""));
  input.dataset.attribute = attribute;
  const change = () => {
    const node = editor.state.doc.nodeAt(position);
    const before = String(node?.attrs[attribute] ?? "");
    if (node?.type.name !== type || before === input.value) return;
    // Half of a number with a sign or a letter behind it is no width.
    if (isNumber && !/^\d{0,5}%?$/.test(input.value)) return;
    if (write)
      input.setCustomValidity(write(editor, before, input.value) ? "" : "This label is taken or cannot be one.");
    else
      editor.view.dispatch(editor.state.tr.setNodeAttribute(position, attribute, attributeValue(field, input.value)));
  };
  input.addEventListener("input", change);
  input.addEventListener("keydown", (event: Event) => {
    const key = event instanceof KeyboardEvent ? event.key : "";
    if (key !== "Escape" && (key !== "Enter" || isLong)) return;
    event.preventDefault();
    editor.commands.focus();
  });
  const made = element("label", {}, label, input);
  if (offer) void offer().then((values) => made.append(choicesFor(input, `editor-${type}-${attribute}`, values)));
  return made;
}

function choicesFor(input: HTMLElement, id: string, values: readonly string[]): HTMLElement {
  input.setAttribute("list", id);
  return element("datalist", { id }, ...values.map((value) => element("option", { value })));
}
