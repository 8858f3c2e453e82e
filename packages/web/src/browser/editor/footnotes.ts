import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import type { Node as Json } from "@svc/document/types";
import { type Editor, Extension, InputRule } from "@tiptap/core";
import type { Node as EditorNode, Schema } from "@tiptap/pm/model";
import { Plugin, TextSelection, type Transaction } from "@tiptap/pm/state";
import type { Transform } from "@tiptap/pm/transform";
import { element } from "../islands/common/element.ts";
import { newBlockId } from "../live-page/new-id.ts";
import { idOfNode } from "./block-json.ts";
import { type WholeDocument, wholeOf } from "./part/whole-document.ts";

/** The characters allowed in a label, as in Markdown. */
const label = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}$/u;

const labelOf = ({ attrs }: EditorNode): string => String(attrs.label ?? "");

type NoteType = "footnoteReference" | "footnoteDefinition";

interface Found {
  readonly node: EditorNode;
  readonly position: number;
}

/** The references or definitions with a label, in the order of the text. */
function findNotes(doc: EditorNode, type: NoteType, name?: string): Found[] {
  const found: Found[] = [];
  doc.descendants((node, position) => {
    if (node.type.name === type && (name === undefined || labelOf(node) === name)) found.push({ node, position });
  });
  return found;
}

/** Whether a hidden block contains a footnote or a reference, with this label or any. */
const holdsNote =
  (type: NoteType, name?: string) =>
  (block: Json): boolean =>
    (block.type === type && (name === undefined || block.attrs?.label === name)) ||
    block.content?.some(holdsNote(type, name)) === true;

const labelsIn = (type: NoteType, block: Json): readonly string[] => [
  ...(block.type === type ? [String(block.attrs?.label ?? "")] : []),
  ...(block.content ?? []).flatMap((child) => labelsIn(type, child)),
];

/** The first hidden block with the footnote or reference. */
function hiddenNote(editor: Editor, type: NoteType, name: string): string | undefined {
  for (const block of wholeOf(editor)?.hiddenBlocks() ?? []) if (holdsNote(type, name)(block)) return idOf(block);
  return undefined;
}

/** The block after which a new footnote goes: the last footnote, or the last block. */
function lastOfNotes(whole: WholeDocument, doc: EditorNode): string | undefined {
  const notes = new Set<string>();
  for (const block of whole.hiddenBlocks()) if (block.type === "footnoteDefinition") notes.add(idOf(block));
  doc.forEach((node) => void (node.type.name === "footnoteDefinition" && notes.add(idOfNode(node) ?? "")));
  return whole.order.findLast((id) => notes.has(id)) ?? whole.order.at(-1);
}

/** The smallest number that no footnote has. */
function nextLabel(editor: Editor, doc: EditorNode): string {
  const taken = new Set(
    [...findNotes(doc, "footnoteReference"), ...findNotes(doc, "footnoteDefinition")].map(({ node }) => labelOf(node)),
  );
  for (const block of wholeOf(editor)?.hiddenBlocks() ?? [])
    for (const label of [...labelsIn("footnoteReference", block), ...labelsIn("footnoteDefinition", block)])
      taken.add(label);
  let number = 1;
  while (taken.has(String(number))) number++;
  return String(number);
}

/**
 * Inserts the footnote of a label after the last one, or at the end, unless it exists. Returns the start of its text.
 */
function ensureDefinition(tr: Transaction, name: string): number {
  const known = findNotes(tr.doc, "footnoteDefinition", name)[0];
  if (known) return known.position + 2;
  let place = tr.doc.content.size;
  tr.doc.forEach((node, position) => {
    if (node.type.name === "footnoteDefinition") place = position + node.nodeSize;
  });
  const { nodes } = tr.doc.type.schema;
  tr.insert(place, defined(nodes.footnoteDefinition).create({ label: name }, defined(nodes.paragraph).create()));
  return place + 2;
}

/** A new footnote at the caret; the caret goes to its text. */
export function insertFootnote(editor: Editor): void {
  wholeOf(editor)?.returnToCaret();
  const { tr, schema, selection } = editor.state;
  const name = nextLabel(editor, tr.doc);
  tr.replaceWith(selection.to, selection.to, defined(schema.nodes.footnoteReference).create({ label: name }));
  if (wholeOf(editor)) {
    editor.view.dispatch(tr);
    goToNote(editor, name);
    return;
  }
  const place = ensureDefinition(tr, name);
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place)).scrollIntoView());
  editor.commands.focus();
}

/** Removes a footnote and its references. */
function removeNotes(tr: Transform, name: string): void {
  const all = [...findNotes(tr.doc, "footnoteReference", name), ...findNotes(tr.doc, "footnoteDefinition", name)];
  for (const { node, position } of all.sort((a, b) => b.position - a.position))
    tr.delete(position, position + node.nodeSize);
}

const hasNote = (name: string) => (block: Json) =>
  holdsNote("footnoteReference", name)(block) || holdsNote("footnoteDefinition", name)(block);

/** The note and everything that points to it. */
export function removeFootnote(editor: Editor, name: string): void {
  const { tr } = editor.state;
  removeNotes(tr, name);
  editor.view.dispatch(tr);
  wholeOf(editor)?.changeHidden(hasNote(name), (hidden) => removeNotes(hidden, name));
  editor.commands.focus();
}

function renameNotes(tr: Transform, from: string, to: string): void {
  for (const { position } of [
    ...findNotes(tr.doc, "footnoteReference", from),
    ...findNotes(tr.doc, "footnoteDefinition", from),
  ])
    tr.setNodeAttribute(position, "label", to);
}

/** Renames a footnote and its references. Does nothing if the label is taken or invalid. */
export function renameFootnote(editor: Editor, from: string, to: string): boolean {
  const { tr } = editor.state;
  if (!label.test(to) || findNotes(tr.doc, "footnoteDefinition", to).length > 0) return false;
  if (hiddenNote(editor, "footnoteDefinition", to) !== undefined) return false;
  renameNotes(tr, from, to);
  editor.view.dispatch(tr);
  wholeOf(editor)?.changeHidden(hasNote(from), (hidden) => renameNotes(hidden, from, to));
  return true;
}

/** Goes to the footnote's text, creating it if missing. */
export function goToNote(editor: Editor, name: string): void {
  revealNote(editor, name);
  const { tr } = editor.state;
  const place = ensureDefinition(tr, name);
  editor.view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(place))).scrollIntoView());
  editor.commands.focus();
}

/** In a long document: shows the footnote, or the position for a new one. */
function revealNote(editor: Editor, name: string): void {
  const whole = wholeOf(editor);
  if (!whole || findNotes(editor.state.doc, "footnoteDefinition", name).length > 0) return;
  const place = hiddenNote(editor, "footnoteDefinition", name) ?? lastOfNotes(whole, editor.state.doc);
  if (place !== undefined && !whole.isShown(place)) whole.reveal(place);
}

/** Goes after the first reference to the footnote. */
export function goToReference(editor: Editor, name: string): void {
  const hidden = hiddenNote(editor, "footnoteReference", name);
  if (hidden !== undefined && findNotes(editor.state.doc, "footnoteReference", name).length === 0)
    wholeOf(editor)?.reveal(hidden);
  const { tr } = editor.state;
  const found = findNotes(tr.doc, "footnoteReference", name)[0];
  if (!found) return;
  const place = TextSelection.near(tr.doc.resolve(found.position + found.node.nodeSize));
  editor.view.dispatch(tr.setSelection(place).scrollIntoView());
  editor.commands.focus();
}

const emptyNote = ({ nodes }: Schema, name: string): EditorNode =>
  defined(nodes.footnoteDefinition).create(
    { label: name, id: newBlockId() },
    defined(nodes.paragraph).create({ id: newBlockId() }),
  );

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

/** Turns typed `[^1]` into a reference and creates its footnote; a double click moves between the two. */
export const Footnotes = Extension.create({
  name: "footnotes",
  addInputRules() {
    return [
      new InputRule({
        find: /\[\^([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})\]$/u,
        handler: ({ state: { tr, schema }, range, match }) => {
          tr.replaceWith(range.from, range.to, defined(schema.nodes.footnoteReference).create({ label: match[1] }));
          const { editor } = this;
          const whole = wholeOf(editor);
          const place = whole && lastOfNotes(whole, tr.doc);
          if (!whole || place === undefined || whole.isShown(place)) ensureDefinition(tr, defined(match[1]));
          // The footnote goes after hidden blocks, once the line itself has changed.
          else if (hiddenNote(editor, "footnoteDefinition", defined(match[1])) === undefined)
            queueMicrotask(() => whole.insertBehind(place, emptyNote(schema, defined(match[1]))));
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
