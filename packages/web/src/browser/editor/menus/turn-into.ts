import type { ChainedCommands, Editor } from "@tiptap/core";
import type { Node as EditorNode, NodeType } from "@tiptap/pm/model";
import type { Action } from "../../islands/common/menu.ts";
import { childrenOf } from "../block-json.ts";
import { type Insertable, insertables } from "./insertables.ts";

/** A block of the document and where it begins. */
interface Placed {
  readonly node: EditorNode;
  readonly position: number;
}

const isList = ({ name }: NodeType): boolean => name.endsWith("List");

/** Tables, footnotes and blocks without text cannot be converted. */
export const canTurn = ({ type, isAtom }: EditorNode): boolean =>
  !isAtom && type.name !== "table" && type.name !== "footnoteDefinition";

/** Converts a list with all its items; nested lists stay as they are. */
function turnList(chain: ChainedCommands, { node, position }: Placed, kind: NodeType): ChainedCommands {
  return chain.command(({ tr }) => {
    const items = childrenOf(node).map(({ attrs, content }) =>
      kind.contentMatch.defaultType?.create({ id: attrs.id }, content),
    );
    const list = kind.create(
      { id: node.attrs.id },
      items.filter((item) => item !== undefined),
    );
    tr.replaceWith(position, position + node.nodeSize, list);
    return true;
  });
}

/** Splits the block into single lines and converts them. */
function turnLines(chain: ChainedCommands, { node, position }: Placed, run: Insertable["run"]): ChainedCommands {
  if (node.type.name === "details") return run(chain.setTextSelection(position + 1).unsetDetails());
  const all = linesIn(node);
  const ids = all.map((line) => line.node.attrs.id);
  // From the first letter to the last: ends between lines would be lost while lines are lifted.
  const inner = node.isTextblock ? position + 1 : position + 2;
  const [first, last] = [all[0], all.at(-1)];
  const range = {
    from: inner + (first?.position ?? 0),
    to: inner + (last ? last.position + last.node.content.size : 0),
  };
  // Lines that become something else are the same lines.
  return run(chain.setTextSelection(range).clearNodes()).command(({ tr }) => {
    const end = tr.mapping.map(position + node.nodeSize);
    const lines = linesIn(tr.doc).filter((line) => line.position >= position && line.position < end);
    for (const [index, line] of lines.entries()) tr.setNodeAttribute(line.position, "id", ids[index] ?? null);
    return true;
  });
}

/** The lines of text in a block or document; the block itself where it is one. */
function linesIn(node: EditorNode): Placed[] {
  if (node.isTextblock) return [{ node, position: 0 }];
  const lines: Placed[] = [];
  node.descendants((one, position) => {
    if (one.isTextblock) lines.push({ node: one, position });
    return !one.isTextblock;
  });
  return lines;
}

/** The conversions of a block of text. */
export const turnInto = (editor: Editor, block: Placed): Action[] =>
  insertables.flatMap(({ name, run, turnsTo }) => {
    const kind = turnsTo === undefined ? undefined : editor.schema.nodes[turnsTo];
    if (!kind) return [];
    const chain = () => editor.chain().focus();
    const turn = () =>
      isList(kind) && isList(block.node.type) ? turnList(chain(), block, kind) : turnLines(chain(), block, run);
    return [{ label: name, run: () => void turn().run() }];
  });
