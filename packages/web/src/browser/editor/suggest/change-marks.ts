import { longestIncreasing } from "@svc/document/longest-increasing";
import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { element } from "../../islands/common/element.ts";
import { idOfNode } from "../block-json.ts";
import { type TextMark, textMarks } from "./text-marks.ts";

/** The blocks that a suggestion began with, by id, in their order. */
type Base = ReadonlyMap<string, EditorNode>;

interface Shown {
  readonly base: Base;
  readonly marks: DecorationSet;
}

const key = new PluginKey<Shown>("changeMarks");

/** Names the blocks that everything is compared with from now on. */
export const compareWith = (tr: Transaction, blocks: readonly EditorNode[]): Transaction =>
  tr.setMeta(key, new Map(blocks.map((block) => [idOfNode(block) ?? "", block])));

/** Shows what differs from the base: words put in and taken out, and blocks that are new, moved, changed or gone. */
export const ChangeMarks = Extension.create({
  name: "changeMarks",
  addProseMirrorPlugins: () => [
    new Plugin<Shown>({
      key,
      state: {
        init: () => ({ base: new Map(), marks: DecorationSet.empty }),
        apply: (tr, shown, _before, state: EditorState) => {
          const base = (tr.getMeta(key) as Base | undefined) ?? shown.base;
          if (base === shown.base && !tr.docChanged) return shown;
          return { base, marks: DecorationSet.create(state.doc, marksOf(state.doc, base)) };
        },
      },
      props: { decorations: (state) => key.getState(state)?.marks ?? null },
    }),
  ],
});

function marksOf(doc: EditorNode, base: Base): Decoration[] {
  const marks: Decoration[] = [];
  const ends = new Map<string, number>();
  const moved = movedIn(doc, base);
  doc.forEach((block, position) => {
    const id = idOfNode(block) ?? "";
    ends.set(id, position + block.nodeSize);
    const before = base.get(id);
    const kind = !before ? "new" : moved.has(id) ? "moved" : before.eq(block) ? undefined : "changed";
    const isPlaceholder = !before && block.isTextblock && block.content.size === 0;
    if (kind && !isPlaceholder)
      marks.push(Decoration.node(position, position + block.nodeSize, { class: `change-block change-${kind}` }));
    if (before && !before.eq(block))
      for (const mark of knownMarks(before, block)) marks.push(decorationOf(mark, position));
  });
  return [...marks, ...goneBlocks(base, ends)];
}

/** Blocks of the base that stand in another order now. */
function movedIn(doc: EditorNode, base: Base): ReadonlySet<string> {
  const places = new Map([...base.keys()].map((id, place) => [id, place]));
  const kept: { readonly id: string; readonly place: number }[] = [];
  doc.forEach((block) => {
    const id = idOfNode(block) ?? "";
    const place = places.get(id);
    if (place !== undefined) kept.push({ id, place });
  });
  const inOrder = new Set(longestIncreasing(kept.map(({ place }) => place)).map((index) => kept[index]?.id));
  return new Set(kept.map(({ id }) => id).filter((id) => !inOrder.has(id)));
}

const known = new WeakMap<EditorNode, { readonly before: EditorNode; readonly marks: readonly TextMark[] }>();

/** Nodes never change: what was found for one holds for as long as it is compared with the same. */
function knownMarks(before: EditorNode, block: EditorNode): readonly TextMark[] {
  const found = known.get(block);
  if (found?.before === before) return found.marks;
  const marks = textMarks(before, block);
  known.set(block, { before, marks });
  return marks;
}

const gone = (text: string): HTMLElement => element("del", { class: "change-gone" }, text);

const decorationOf = (mark: TextMark, block: number): Decoration =>
  mark.kind === "added"
    ? Decoration.inline(block + mark.from, block + mark.to, { nodeName: "ins", class: "change-added" })
    : Decoration.widget(block + mark.at, () => gone(mark.text), { side: -1, key: mark.text, ignoreSelection: true });

/** Blocks that are gone, shown behind the last one before them that is still there. */
function goneBlocks(base: Base, ends: ReadonlyMap<string, number>): Decoration[] {
  const marks: Decoration[] = [];
  let at = 0;
  for (const [id, block] of base) {
    const end = ends.get(id);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const text = block.textBetween(0, block.content.size, " ", " ").trim() || block.type.name;
    const make = () => element("div", { class: "change-block change-removed" }, gone(text));
    marks.push(Decoration.widget(at, make, { side: 1, key: id }));
  }
  return marks;
}
