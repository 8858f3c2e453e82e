import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import type { NewId, Node } from "@svc/document/types";
import type { LiveState } from "../live-state.ts";
import { keyBetween } from "../order-key.ts";
import type { Random } from "./random.ts";

export interface EditOptions {
  readonly random: Random;
  readonly newId: NewId;
  /** Makes a word that nobody else writes. */
  readonly word: () => string;
  readonly deletes: boolean;
}

/** A paragraph, a list item or a cell: the first line of text in a block. */
const isLine = (node: Node) => node.type === "paragraph" || node.type === "heading";

const words = (node: Node): string[] =>
  (node.content ?? [])
    .map(({ text = "" }) => text)
    .join("")
    .split(" ")
    .filter((word) => word !== "");

const withWords = (node: Node, list: readonly string[]): Node => ({
  ...node,
  content: list.length > 0 ? [{ type: "text", text: list.map((word) => `${word} `).join("") }] : [],
});

/** The block with one of its lines changed. */
function changeLine(node: Node, random: Random, change: (line: Node) => Node): Node {
  if (isLine(node)) return change(node);
  if (!node.content || node.content.every(({ type }) => type === "text")) return node;
  const at = random.below(node.content.length);
  return { ...node, content: node.content.map((child, i) => (i === at ? changeLine(child, random, change) : child)) };
}

const cellOf = ({ newId, word }: EditOptions): Node => ({
  type: "tableCell",
  attrs: { id: newId() },
  content: [withWords({ type: "paragraph", attrs: { id: newId() } }, [word()])],
});

const rowOf = (options: EditOptions, width: number): Node => ({
  type: "tableRow",
  attrs: { id: options.newId() },
  content: Array.from({ length: width }, () => cellOf(options)),
});

export const newTable = (options: EditOptions): Node => ({
  type: "table",
  attrs: { id: options.newId() },
  content: [0, 1].map(() => rowOf(options, 2)),
});

const putIn = (node: Node, at: number, child: Node): Node => ({
  ...node,
  content: [...(node.content ?? []).slice(0, at), child, ...(node.content ?? []).slice(at)],
});

/** Adds a row or a column to a table, or removes a column; leaves other blocks alone. */
function changeTable(table: Node, options: EditOptions): Node {
  const { random, deletes } = options;
  const rows = table.content ?? [];
  const width = rows[0]?.content?.length ?? 0;
  if (table.type !== "table") return table;
  if (random.chance(0.5)) return putIn(table, random.below(rows.length + 1), rowOf(options, width));
  const column = random.below(width + 1);
  const isLess = deletes && width > 1 && random.chance(0.5);
  const without = (row: Node): Node => ({ ...row, content: (row.content ?? []).filter((_, i) => i !== column) });
  return { ...table, content: rows.map((row) => (isLess ? without(row) : putIn(row, column, cellOf(options)))) };
}

const newBlock = (options: EditOptions): Node => {
  const { random, newId, word } = options;
  const line = (): Node => withWords({ type: "paragraph", attrs: { id: newId() } }, [word()]);
  if (random.chance(0.7)) return line();
  if (random.chance(0.5)) return newTable(options);
  const items = [0, 1].map((): Node => ({ type: "listItem", attrs: { id: newId() }, content: [line()] }));
  return { type: "bulletList", attrs: { id: newId() }, content: items };
};

/** Applies one random change to a list of blocks, as an API caller or an editor would. */
export function editBlocks(blocks: readonly Node[], options: EditOptions): readonly Node[] {
  const { random, word, deletes } = options;
  const at = random.below(Math.max(blocks.length, 1));
  const replace = (change: (node: Node) => Node) => blocks.map((block, i) => (i === at ? change(block) : block));
  const kind = random.below(12);
  if (blocks.length === 0 || kind === 0) return [...blocks.slice(0, at), newBlock(options), ...blocks.slice(at)];
  if (kind === 1 && deletes) return blocks.filter((_, i) => i !== at);
  if (kind === 2) {
    const rest = blocks.filter((_, i) => i !== at);
    const to = random.below(rest.length + 1);
    return [...rest.slice(0, to), defined(blocks[at]), ...rest.slice(to)];
  }
  if (kind === 3)
    return replace((block) =>
      block.type === "paragraph" ? { ...block, type: "heading", attrs: { ...block.attrs, level: 2 } } : block,
    );
  if (kind === 4 && deletes)
    return replace((block) => changeLine(block, random, (line) => withWords(line, words(line).slice(1))));
  if (kind > 9) return replace((block) => changeTable(block, options));
  return replace((block) =>
    changeLine(block, random, (line) => {
      const list = words(line);
      const place = random.below(list.length + 1);
      return withWords(line, [...list.slice(0, place), word(), ...list.slice(place)]);
    }),
  );
}

/** Applies one random change to a live state as an editor would: only the changed parts are touched. */
export function editLive(live: LiveState, options: EditOptions, origin?: unknown): void {
  const before = live.blocks;
  const after = editBlocks(before, options);
  const kept = new Set(after.map(idOf));
  live.doc.transact(() => {
    for (const block of before) if (!kept.has(idOf(block))) live.remove(idOf(block));
    after.forEach((block, i) => {
      const [id, key] = [idOf(block), () => keyFor(live, after, i)];
      if (!live.has(id)) live.insert(block, key());
      else if (block !== before.find((old) => idOf(old) === id)) live.patch(block);
      else if (isMoved(before, after, id)) live.move(id, key());
    });
  }, origin);
}

/** Whether this block is the one that moved in the list. */
function isMoved(before: readonly Node[], after: readonly Node[], id: string): boolean {
  if (before.length !== after.length) return false;
  const [from, to] = [before.findIndex((block) => idOf(block) === id), after.findIndex((block) => idOf(block) === id)];
  const without = (blocks: readonly Node[]) => blocks.filter((block) => idOf(block) !== id);
  return from !== to && without(before).every((block, i) => block === without(after)[i]);
}

function keyFor(live: LiveState, blocks: readonly Node[], at: number): string {
  const left = at > 0 ? live.key(idOf(defined(blocks[at - 1]))) : undefined;
  const right = blocks
    .slice(at + 1)
    .map((block) => live.key(idOf(block)))
    .find((key) => key !== undefined && key > (left ?? ""));
  return keyBetween(left, right, "left");
}
