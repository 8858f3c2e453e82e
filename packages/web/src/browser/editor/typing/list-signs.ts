import { Extension, InputRule, type Range } from "@tiptap/core";
import { Fragment, type Node } from "@tiptap/pm/model";
import { type EditorState, TextSelection, type Transaction } from "@tiptap/pm/state";

/** A list that a sign of Markdown asks for. */
interface Wanted {
  readonly list: "bulletList" | "orderedList" | "taskList";
  readonly item: "listItem" | "taskItem";
  readonly listAttrs?: Readonly<Record<string, unknown>>;
  readonly itemAttrs?: Readonly<Record<string, unknown>>;
}

const SIGNS: readonly (readonly [sign: RegExp, wanted: (match: RegExpMatchArray) => Wanted])[] = [
  [/^\s*[-+*]\s$/, () => ({ list: "bulletList", item: "listItem" })],
  [/^(\d+)\.\s$/, ([, start]) => ({ list: "orderedList", item: "listItem", listAttrs: { start: Number(start) } })],
  [
    /^\s*\[([ xX]?)\]\s$/,
    ([, box]) => ({ list: "taskList", item: "taskItem", itemAttrs: { checked: box?.toLowerCase() === "x" } }),
  ],
];

/** How deep the item stands in whose first line the caret is. */
function depthOfItem({ selection: { $from } }: EditorState): number | undefined {
  const depth = $from.depth - 1;
  const isItem = depth > 1 && ["listItem", "taskItem"].includes($from.node(depth).type.name);
  return isItem && $from.index(depth) === 0 ? depth : undefined;
}

/** Puts the item at `depth` into a list of another kind, between the items before and after it. */
function turnItem({ schema }: EditorState, tr: Transaction, depth: number, wanted: Wanted): void {
  const $at = tr.selection.$from;
  const [list, item, index] = [$at.node(depth - 1), $at.node(depth), $at.index(depth - 1)];
  const items = (from: number, to: number): Node[] => Array.from({ length: to - from }, (_, i) => list.child(from + i));
  const before = index > 0 ? [list.copy(Fragment.from(items(0, index)))] : [];
  // One of the lists keeps the id; the others get theirs when they are seen.
  const rest = items(index + 1, list.childCount);
  const after = rest.length > 0 ? [list.type.create({ ...list.attrs, id: null }, rest)] : [];
  const id = before.length > 0 ? null : list.attrs.id;
  const turned = schema.node(wanted.item, { ...wanted.itemAttrs, id: item.attrs.id }, item.content);
  const start = $at.before(depth - 1);
  const lists = [...before, schema.node(wanted.list, { ...wanted.listAttrs, id }, turned), ...after];
  tr.replaceWith(start, start + list.nodeSize, lists);
  const line = start + (before[0]?.nodeSize ?? 0) + 3;
  tr.setSelection(TextSelection.near(tr.doc.resolve(line)));
}

/** Does what a sign at the beginning of an item asks for; the same kind of list keeps the sign as text. */
function applySign(state: EditorState, depth: number, range: Range, sign: string, wanted: Wanted): void {
  const { tr } = state;
  const { $from } = state.selection;
  const isSame = $from.node(depth - 1).type.name === wanted.list;
  if (isSame && !wanted.itemAttrs) {
    tr.insertText(sign, range.from, range.to);
    return;
  }
  tr.delete(range.from, range.to);
  if (isSame) tr.setNodeMarkup($from.before(depth), undefined, { ...$from.node(depth).attrs, ...wanted.itemAttrs });
  else turnItem(state, tr, depth, wanted);
}

/**
 * The sign of a list at the beginning of an item says what kind of item it is: `- [ ]` makes a task, whose `- ` has made
 * a list already. Without this a list would begin within the item, which the schema allows.
 */
export const ListSigns = Extension.create({
  name: "listSigns",
  // Before the rules of the lists themselves.
  priority: 1000,
  addInputRules: () =>
    SIGNS.map(
      ([find, wantedBy]) =>
        new InputRule({
          find,
          handler: ({ state, range, match }) => {
            const depth = depthOfItem(state);
            // Null leaves the sign to the next rule.
            return depth === undefined ? null : applySign(state, depth, range, match[0], wantedBy(match));
          },
        }),
    ),
});
