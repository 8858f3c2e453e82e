import { type Editor, Extension, InputRule } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, TextSelection, type Transaction } from "@tiptap/pm/state";
import { element } from "../islands/shell/element.ts";

/** What a label may be made of, as Markdown reads it. */
const label = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}$/u;

export const labelOf = ({ attrs }: EditorNode): string => String(attrs.label ?? "");

interface Found {
  readonly node: EditorNode;
  readonly position: number;
}

/** The references or definitions with a label, in the order of the text. */
function findNotes(doc: EditorNode, type: "footnoteReference" | "footnoteDefinition", name?: string): Found[] {
  const found: Found[] = [];
  doc.descendants((node, position) => {
    if (node.type.name === type && (name === undefined || labelOf(node) === name)) found.push({ node, position });
  });
  return found;
}

/** The smallest number that no footnote has. */
function nextLabel(doc: EditorNode): string {
  const taken = new Set(
    [...findNotes(doc, "footnoteReference"), ...findNotes(doc, "footnoteDefinition")].map(({ node }) => labelOf(node)),
  );
  let number = 1;
  while (taken.has(String(number))) number++;
  return String(number);
}

/** Puts the note of a label behind the last note, or at the end, unless it is there. Answers where its text begins. */
function ensureDefinition(tr: Transaction, name: string): number {
  const known = findNotes(tr.doc, "footnoteDefinition", name)[0];
  if (known) return known.position + 2;
  let place = tr.doc.content.size;
  tr.doc.forEach((node, position) => {
    if (node.type.name === "footnoteDefinition") place = position + node.nodeSize;
  });
  const { nodes } = tr.doc.type.schema;
  tr.insert(place, nodes.footnoteDefinition!.create({ label: name }, nodes.paragraph!.create()));
  return place + 2;
}

/** A new footnote at the caret; the caret goes to its text. */
export function insertFootnote(editor: Editor): void {
  const { tr, schema, selection } = editor.state;
  const name = nextLabel(tr.doc);
  tr.replaceWith(selection.to, selection.to, schema.nodes.footnoteReference!.create({ label: name }));
  const place = ensureDefinition(tr, name);
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place)).scrollIntoView());
  editor.commands.focus();
}

/** The note and everything that points to it. */
export function removeFootnote(editor: Editor, name: string): void {
  const { tr } = editor.state;
  const all = [...findNotes(tr.doc, "footnoteReference", name), ...findNotes(tr.doc, "footnoteDefinition", name)];
  for (const { node, position } of all.sort((a, b) => b.position - a.position))
    tr.delete(position, position + node.nodeSize);
  editor.view.dispatch(tr);
  editor.commands.focus();
}

/** Gives a footnote another label, at its note and wherever the text points to it. A label that is taken or cannot be one changes nothing. */
export function renameFootnote(editor: Editor, from: string, to: string): boolean {
  const { tr } = editor.state;
  if (!label.test(to) || findNotes(tr.doc, "footnoteDefinition", to).length > 0) return false;
  for (const { position } of [
    ...findNotes(tr.doc, "footnoteReference", from),
    ...findNotes(tr.doc, "footnoteDefinition", from),
  ])
    tr.setNodeAttribute(position, "label", to);
  editor.view.dispatch(tr);
  return true;
}

/** To the note's text, made if it is not there. */
export function goToNote(editor: Editor, name: string): void {
  const { tr } = editor.state;
  const place = ensureDefinition(tr, name);
  editor.view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(place))).scrollIntoView());
  editor.commands.focus();
}

/** Behind the first place that points to the note. */
export function goToReference(editor: Editor, name: string): void {
  const { tr } = editor.state;
  const found = findNotes(tr.doc, "footnoteReference", name)[0];
  if (!found) return;
  const place = TextSelection.near(tr.doc.resolve(found.position + found.node.nodeSize));
  editor.view.dispatch(tr.setSelection(place).scrollIntoView());
  editor.commands.focus();
}

function referenceView(node: EditorNode) {
  const dom = element("sup", { "data-type": "footnoteReference", class: "footnote-ref" });
  const show = (now: EditorNode) => {
    dom.dataset.label = labelOf(now);
    dom.textContent = labelOf(now);
    dom.title = `Footnote ${labelOf(now)}: double-click to go to it`;
  };
  show(node);
  return {
    dom,
    update: (now: EditorNode) => {
      if (now.type !== node.type) return false;
      show(now);
      return true;
    },
    ignoreMutation: () => true,
  };
}

/** `[^1]` typed in a line is a reference, and its note is there; a double click goes from one to the other. */
export const Footnotes = Extension.create({
  name: "footnotes",
  addInputRules() {
    return [
      new InputRule({
        find: /\[\^([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})\]$/u,
        handler: ({ state: { tr, schema }, range, match }) => {
          tr.replaceWith(range.from, range.to, schema.nodes.footnoteReference!.create({ label: match[1] }));
          ensureDefinition(tr, match[1]!);
        },
      }),
    ];
  },
  addKeyboardShortcuts() {
    return {
      "Mod-Alt-f": () => {
        insertFootnote(this.editor);
        return true;
      },
    };
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin({
        props: {
          nodeViews: { footnoteReference: referenceView },
          handleDoubleClickOn: (_view, _position, node) => {
            if (node.type.name !== "footnoteReference") return false;
            goToNote(editor, labelOf(node));
            return true;
          },
        },
      }),
    ];
  },
});
