import { type ChainedCommands, Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";

/** The lines in a range; undefined if the range contains anything that a code block cannot. */
function linesIn(doc: EditorNode, from: number, to: number): EditorNode[] | undefined {
  const lines: EditorNode[] = [];
  let isText = true;
  doc.nodesBetween(from, to, (node) => {
    if (node.isTextblock) lines.push(node);
    if (node.isLeaf && !node.isText && !node.isTextblock) isText &&= node.type.name === "hardBreak";
    return true;
  });
  return isText ? lines : undefined;
}

const textOf = (line: EditorNode): string => line.textBetween(0, line.content.size, undefined, "\n");

/** Turns the selected lines into one code block instead of one block per line, or a code block into text. */
export const toggleCode = (chain: ChainedCommands): ChainedCommands =>
  chain.command(({ tr, state: { schema }, commands }) => {
    const { codeBlock } = schema.nodes;
    const { $from, $to } = tr.selection;
    const range = codeBlock && $from.blockRange($to, ({ type }) => type.contentMatch.matchType(codeBlock) !== null);
    const lines = (range && linesIn(tr.doc, range.start, range.end)) ?? [];
    if (!range || lines.length < 2 || lines.every(({ type }) => type === codeBlock)) return commands.toggleCodeBlock();
    const text = lines.map(textOf).join("\n");
    const code = codeBlock.create({ id: lines[0]?.attrs.id }, text === "" ? null : schema.text(text));
    tr.replaceWith(range.start, range.end, code);
    tr.setSelection(TextSelection.create(tr.doc, range.start + 1 + text.length));
    return true;
  });

/** Binds `toggleCode` to Tiptap's usual key. */
export const CodeKeys = Extension.create({
  name: "codeKeys",
  priority: 200,
  addKeyboardShortcuts() {
    return { "Mod-Alt-c": () => toggleCode(this.editor.chain()).run() };
  },
});
