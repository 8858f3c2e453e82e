import type { Attrs } from "@svc/document/types";
import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import { element } from "../../islands/common/element.ts";
import { openMenu } from "../../islands/common/menu.ts";
import { goToNote, goToReference, removeFootnote, renameFootnote } from "../footnotes.ts";
import { loadIsland } from "../lazy.ts";
import { FILL_IN } from "../menus/insert-block.ts";
import { openLink } from "../open-links.ts";
import { tableMenus } from "../tables.ts";
import { leaveNode } from "./leave-node.ts";
import { isWide, placeAtBlock } from "./place-at-block.ts";

/** An attribute of a node that a field edits. */
interface Field {
  readonly attribute: string;
  readonly label: string;
  readonly values?: readonly string[];
  readonly isLong?: boolean;
  readonly isNumber?: boolean;
  /** Suggested values; any other value is allowed. */
  readonly offer?: () => Promise<readonly string[]>;
  /** For changes beyond this attribute. Returns whether the value was accepted. */
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
  callout: [{ attribute: "kind", label: "Callout type", values: ["note", "tip", "important", "warning", "caution"] }],
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

type Run = (editor: Editor, attrs: Attrs, opener: HTMLElement, node: EditorNode | null) => void;
const labelIn = ({ label }: Attrs): string => String(label ?? "");
const removeNote: readonly [string, Run] = [
  "Remove footnote",
  (editor, attrs) => removeFootnote(editor, labelIn(attrs)),
];

/** Buttons beside the fields. */
const tools: Readonly<Record<string, readonly (readonly [label: string, run: Run])[]>> = {
  table: tableMenus.map(([label, tools]) => [
    label,
    (editor, _attrs, opener) => {
      const actions = tools.map(([name, run]) => ({ label: name, run: () => void run(editor.chain().focus()).run() }));
      openMenu(label, actions, opener.getBoundingClientRect(), opener);
    },
  ]),
  codeBlock: [["Copy", (_editor, _attrs, opener, node) => void copyCode(node?.textContent ?? "", opener)]],
  footnoteReference: [["Go to the note", (editor, attrs) => goToNote(editor, labelIn(attrs))], removeNote],
  footnoteDefinition: [["Back to the text", (editor, attrs) => goToReference(editor, labelIn(attrs))], removeNote],
};

async function copyCode(text: string, button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(text);
  button.textContent = "Copied";
}

/** Buttons for the link that the caret is in, before those of the block around it. */
const linkTools: readonly (readonly [label: string, run: (editor: Editor) => void])[] = [
  ["Open link", (editor) => openLink(editor.getAttributes("link").href ?? "")],
  ["Change link", (editor) => void editor.chain().focus().extendMarkRange("link").run()],
  ["Remove link", (editor) => void editor.chain().focus().extendMarkRange("link").unsetLink().run()],
];

/** Whether the caret is in a link. A selected link has an address field instead. */
const isInLink = (editor: Editor): boolean => editor.state.selection.empty && editor.isActive("link");

/** On wide windows a table has handles on its edges instead. */
const hasTools = (type: string): boolean => type in fields || (type in tools && !(type === "table" && isWide.matches));

interface Target {
  readonly type: string;
  readonly position: number;
  readonly attrs: Attrs;
}

/** The node the bar edits: the selected one, or the innermost one around the caret with tools. */
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

/**
 * Shows tools for the node at the caret: language of code, type of a callout, rows and columns, source of a formula.
 */
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
  placeAtBlock(bar, editor, () => targetOf(editor));
  editor.on("transaction", update);
  // A formula that was just inserted is written at once.
  editor.view.dom.addEventListener(FILL_IN, () => bar.querySelector<HTMLElement>("input, textarea")?.focus());
}

/** Updates fields without focus: others, and dragging, change the node too. */
function refresh(bar: HTMLElement, { attrs }: Target): void {
  for (const input of bar.querySelectorAll<HTMLInputElement>("[data-attribute]")) {
    const value = String(attrs[input.dataset.attribute ?? ""] ?? "");
    if (input !== document.activeElement && input.value !== value) input.value = value;
  }
}

function toolOf(label: string, run: (button: HTMLElement) => void): HTMLElement {
  const button = element("button", { type: "button", class: "button button-small" }, label);
  button.addEventListener("click", () => run(button));
  return button;
}

const toolsOf = (editor: Editor, target: Target): HTMLElement[] => [
  ...(fields[target.type] ?? []).map((field) => fieldOf(editor, target, field)),
  ...(tools[target.type] ?? []).map(([label, run]) =>
    toolOf(label, (opener) => {
      // Read the node again: other fields may have changed it.
      const node = editor.state.doc.nodeAt(target.position);
      run(editor, node?.type.name === target.type ? node.attrs : target.attrs, opener, node);
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
    // A number followed by another character is not a valid width.
    if (isNumber && !/^\d{0,5}%?$/.test(input.value)) return;
    if (write) input.setCustomValidity(write(editor, before, input.value) ? "" : "This label is taken or not valid.");
    else
      editor.view.dispatch(editor.state.tr.setNodeAttribute(position, attribute, attributeValue(field, input.value)));
  };
  input.addEventListener("input", change);
  input.addEventListener("keydown", (event: Event) => {
    if (!(event instanceof KeyboardEvent) || !isLeaving(event, input, isLong === true)) return;
    event.preventDefault();
    leaveNode(editor);
  });
  const made = element("label", {}, label, input);
  if (offer) void offer().then((values) => made.append(choicesFor(input, `editor-${type}-${attribute}`, values)));
  return made;
}

/** Escape and Enter lead back to the text, and so does the arrow down at the end of a formula. */
function isLeaving({ key, ctrlKey, metaKey }: KeyboardEvent, input: HTMLElement, isLong: boolean): boolean {
  if (key === "Escape") return true;
  if (key === "Enter") return !isLong || ctrlKey || metaKey;
  return key === "ArrowDown" && input instanceof HTMLTextAreaElement && input.selectionStart === input.value.length;
}

function choicesFor(input: HTMLElement, id: string, values: readonly string[]): HTMLElement {
  input.setAttribute("list", id);
  return element("datalist", { id }, ...values.map((value) => element("option", { value })));
}
